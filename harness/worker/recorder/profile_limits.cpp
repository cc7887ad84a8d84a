#include "worker/recorder/profile_limits.h"

#include "base/units.h"

#include <utility>

namespace tune::worker {

std::vector<trial::RefusedOption> refused_options(const trial::Profile& profile,
                                                  RecordedTrial trial) {
  std::vector<trial::RefusedOption> refused;
  if (profile.cuda && !trial.has_gpu) {
    refused.push_back({"cuda", "the trial runs on the CPU"});
  }
  if (profile.with_stack) {
    refused.push_back({"with_stack", "a C++ program has no Python frames"});
  }
  if (profile.with_modules && trial.has_own_model) {
    refused.push_back({"with_modules", "tune does not know the modules of your own model"});
  }
  if (!profile.cpu && trial.has_gpu) {
    for (const auto& [option, is_wanted] : {std::pair{"record_shapes", profile.record_shapes},
                                            std::pair{"profile_memory", profile.profile_memory},
                                            std::pair{"with_flops", profile.with_flops}}) {
      if (is_wanted) {
        refused.push_back({option, "it is about operators, and activities has no cpu"});
      }
    }
  }
  return refused;
}

std::string why_no_profile(const trial::Profile& profile, bool has_gpu, std::int64_t free_bytes) {
  if (!profile.cpu && !(profile.cuda && has_gpu)) {
    return "activities: the CPU's are not wanted, and the trial has no others";
  }
  // Such text shrinks to a tenth or less.
  constexpr std::int64_t kLeastShrinking = 4;
  const std::int64_t needed_bytes = profile.limit_bytes / kLeastShrinking;
  if (free_bytes < needed_bytes) {
    return "the disk has " + format_bytes(free_bytes) + " left, and the trace may need " +
           format_bytes(needed_bytes);
  }
  return "";
}

}  // namespace tune::worker
