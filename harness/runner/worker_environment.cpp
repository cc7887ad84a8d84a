#include "runner/worker_environment.h"

#include "machine/driver_signs.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tune::runner {

namespace {

constexpr std::string_view kLibraryPath = "LD_LIBRARY_PATH=";

// CUDA's driver may lie where nothing else leads to. LibTorch's own libraries come before it: they
// are found by the worker's RPATH.
void hand_on_driver(std::string_view folders, WorkerEnvironment& result) {
  const std::string kept = machine::driver_folders(folders);
  if (!kept.empty()) {
    result.variables.push_back(std::string(kLibraryPath) + kept);
  }
  if (kept != folders) {
    std::string removed(kLibraryPath.substr(0, kLibraryPath.size() - 1));
    removed += kept.empty() ? "" : " (but for " + kept + ", where libcuda.so.1 is)";
    result.removed.push_back(std::move(removed));
  }
}

}  // namespace

WorkerEnvironment worker_environment(const char* const* environment) {
  static constexpr std::string_view kParent = "TUNE_PARENT";
  static constexpr std::array<std::string_view, 5> kLoaders = {"LD_PRELOAD",
                                                               "LD_AUDIT",
                                                               "KINETO_USE_DAEMON",
                                                               "CUDA_INJECTION64_PATH",
                                                               "NVTX_INJECTION64_PATH"};
  WorkerEnvironment result;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (entry.starts_with(kLibraryPath)) {
      hand_on_driver(entry.substr(kLibraryPath.size()), result);
      continue;
    }
    const std::string_view name = entry.substr(0, entry.find('='));
    const bool loads = std::find(kLoaders.begin(), kLoaders.end(), name) != kLoaders.end();
    if (loads && entry.size() > name.size() + 1) {  // an empty value loads nothing
      result.removed.emplace_back(name);
    }
    if (!loads && name != kParent) {
      result.variables.emplace_back(entry);
    }
  }
  result.variables.push_back(std::string(kParent) + "=" + std::to_string(getpid()));
  return result;
}

}  // namespace tune::runner
