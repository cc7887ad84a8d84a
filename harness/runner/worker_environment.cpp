#include "runner/worker_environment.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

namespace tune::runner {

WorkerEnvironment worker_environment(const char* const* environment) {
  static constexpr std::string_view kParent = "TUNE_PARENT";
  static constexpr std::array<std::string_view, 6> kLoaders = {"LD_PRELOAD",
                                                               "LD_AUDIT",
                                                               "LD_LIBRARY_PATH",
                                                               "KINETO_USE_DAEMON",
                                                               "CUDA_INJECTION64_PATH",
                                                               "NVTX_INJECTION64_PATH"};
  WorkerEnvironment result;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
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
