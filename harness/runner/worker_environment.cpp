#include "runner/worker_environment.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

namespace tune::runner {

std::vector<std::string> worker_environment(const char* const* environment) {
  static constexpr std::array<std::string_view, 6> kLeftOut = {"TUNE_PARENT=",
                                                               "LD_PRELOAD=",
                                                               "LD_LIBRARY_PATH=",
                                                               "KINETO_USE_DAEMON=",
                                                               "CUDA_INJECTION64_PATH=",
                                                               "NVTX_INJECTION64_PATH="};
  std::vector<std::string> kept;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const bool left_out = std::any_of(kLeftOut.begin(), kLeftOut.end(), [&](std::string_view name) {
      return entry.starts_with(name);
    });
    if (!left_out) {
      kept.emplace_back(entry);
    }
  }
  kept.push_back("TUNE_PARENT=" + std::to_string(getpid()));
  return kept;
}

}  // namespace tune::runner
