#pragma once

#include "trial/profile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::worker {

/// Of a trial: where it computes, and what.
struct RecordedTrial {
  bool has_gpu = false;
  bool has_own_model = false;  ///< the user's own: its modules do not say when they run
};

/// The words of the profile that cannot be had here, each with its reason. What is about operators
/// cannot be had where a GPU's rows are recorded alone.
std::vector<trial::RefusedOption> refused_options(const trial::Profile& profile,
                                                  RecordedTrial trial);

/// Why nothing at all can be recorded or kept, "" when it can: of the activities none is left, or
/// the disk has less than the trace may need.
std::string why_no_profile(const trial::Profile& profile, bool has_gpu, std::int64_t free_bytes);

}  // namespace tune::worker
