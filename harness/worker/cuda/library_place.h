#pragma once

#include <filesystem>
#include <string>

namespace tune::worker {

/// The file that the function at `address` was loaded from, links resolved; empty when unknown.
std::filesystem::path library_of(const void* address);

/// "" when `library` lies below the folder that holds LibTorch's folder torch/ (`torch_library` is
/// <folder>/torch/lib/<name>), else a sentence: a CUPTI of another origin may not fit.
std::string why_foreign(const std::filesystem::path& library,
                        const std::filesystem::path& torch_library);

}  // namespace tune::worker
