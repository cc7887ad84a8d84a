#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tune::machine {

/// The folders in which a program looks for its shared libraries first: its DT_RPATH, else its
/// DT_RUNPATH, with $ORIGIN resolved. Empty when it has none, or when the file is not a 64-bit
/// program of this machine's byte order.
std::vector<std::filesystem::path> library_folders(const std::filesystem::path& program);

/// Whether the program itself needs this library ("libc10.so") to start.
bool needs_library(const std::filesystem::path& program, std::string_view name);

/// The version of LibTorch that tune is built for and tested with; harness/setup fetches it.
constexpr std::string_view kTorchRelease = "2.11.0";
constexpr std::string_view kTorchVersion = kTorchRelease.substr(0, kTorchRelease.rfind('.'));

/// A clone also builds its worker with older ones: those for CUDA 12, which a driver before CUDA 13
/// needs.
constexpr std::string_view kOldestTorchVersion = "2.8";

/// Whether it is from the oldest to the newest of these: "2.10.0+cu128", "2.8".
bool is_torch_supported(std::string_view version);

/// The LibTorch that a worker runs with.
struct WorkerTorch {
  std::filesystem::path folder;  ///< that contains libtorch_cpu.so; "": this worker needs none
  /// Where to look for its libraries; none when the worker itself knows.
  std::vector<std::filesystem::path> library_folders;
};

/// A worker in a build tree names the LibTorch that it was built with, and gets that one. An
/// installed worker names none, and gets the first of these: the one in TUNE_TORCH_DIR (LibTorch's
/// folder, or its parent with torch/), the one in the cache, the one that it was built with if that
/// is recorded next to it. Throws tune::Error when there is none, or one of another version.
WorkerTorch torch_of_worker(const std::filesystem::path& worker);

}  // namespace tune::machine
