#pragma once

#include "trial/profile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::worker {

/// The words of the profile that cannot be had here, each with its reason. `has_gpu`: the trial
/// computes on one.
std::vector<trial::RefusedOption> refused_options(const trial::Profile& profile, bool has_gpu);

/// Why nothing at all can be recorded or kept, "" when it can: of the activities none is left, or
/// the disk has less than the trace may need.
std::string why_no_profile(const trial::Profile& profile, bool has_gpu, std::int64_t free_bytes);

}  // namespace tune::worker
