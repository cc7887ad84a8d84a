#pragma once

#include <filesystem>

namespace tune::cli {

/// The program that runs trials: $TUNE_WORKER_PROGRAM, else `tune-worker` beside this program.
/// Throws tune::Error when it is not there or cannot be run, or when it needs a LibTorch and there
/// is none (machine/worker_torch.h).
std::filesystem::path find_worker_program();

/// The same without looking for LibTorch.
std::filesystem::path locate_worker_program();

}  // namespace tune::cli
