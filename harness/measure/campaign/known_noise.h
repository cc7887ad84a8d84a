#pragma once

#include <cstdint>
#include <string>

namespace tune::campaign {

/// What equal processes of the scenario showed on this machine, with these settings (A/A):
/// `tune calibrate` measures it, gates with equal sides add to it.
struct KnownNoise {
  std::string utc;               ///< of the calibration, ISO 8601
  std::int64_t launches = 0;     ///< equal processes
  double pair_ratio = 0;         ///< robust standard deviation of the difference of a pair
  double detectable_ratio = 0;   ///< the smallest slowdown that 90 % of gates find
  std::int64_t verdicts = 0;     ///< gates of equal sides, as far as they are independent
  std::int64_t alarms = 0;       ///< of these, that called one side worse
  double most_alarms_ratio = 1;  ///< upper end of what share that can be, 95 % sure
};

}  // namespace tune::campaign
