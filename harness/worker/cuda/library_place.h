#pragma once

#include <filesystem>
#include <string>

namespace tune::worker {

/// The file from which the function at `address` was loaded, links resolved; empty when unknown.
std::filesystem::path library_of(const void* address);

/// "" when `library` is below the folder that contains LibTorch's folder torch/ (`torch_library` is
/// <folder>/torch/lib/<name>), else a sentence: a CUPTI of another origin may not match.
std::string why_foreign(const std::filesystem::path& library,
                        const std::filesystem::path& torch_library);

}  // namespace tune::worker
