#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tune::machine {

/// The folders in which a program looks for its shared libraries before anywhere else: what is
/// written into it (DT_RPATH, else DT_RUNPATH), $ORIGIN resolved. Empty where nothing is, and where
/// the file is no 64-bit program of this machine's byte order.
std::vector<std::filesystem::path> library_folders(const std::filesystem::path& program);

/// Whether the program itself names this library ("libc10.so") as one that it cannot start without.
bool needs_library(const std::filesystem::path& program, std::string_view name);

/// The LibTorch that tune is built for and tested with; harness/setup fetches it.
constexpr std::string_view kTorchRelease = "2.11.0";
constexpr std::string_view kTorchVersion = kTorchRelease.substr(0, kTorchRelease.rfind('.'));

/// The LibTorch that a worker runs with.
struct WorkerTorch {
  std::filesystem::path folder;  ///< that holds libtorch_cpu.so; "": this worker needs none
  /// Where its libraries have to be looked for; none where the worker itself knows it.
  std::vector<std::filesystem::path> library_folders;
};

/// A worker of a build tree names the LibTorch that it was built with, and gets that one. An
/// installed one names none, and gets the first of these: what TUNE_TORCH_DIR names (LibTorch's
/// folder, or one that holds torch/), what the cache holds, what it was built with where that is
/// written beside it. Throws tune::Error when there is none, or one of another version.
WorkerTorch torch_of_worker(const std::filesystem::path& worker);

}  // namespace tune::machine
