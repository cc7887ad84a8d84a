#pragma once

#include <string>
#include <vector>

namespace tune::stats {

/// Whether the machine itself differed between the two sides of a campaign.
struct EnvironmentShift {
  bool is_shifted = false;
  double lower = 0, estimate = 0, upper = 0;  ///< ln(time beside candidates / beside baselines)
  std::string warning;                        ///< a sentence where it shifted, or ""
};

/// The sentinel is the same fixed work beside every process, so its time ratio is 1 but for the
/// machine. Shifted: the interval [lower, upper] (each bound at `level`, one-sided; signed_rank.h)
/// lies wholly outside +-1 %. `differences`: one a pair, ln of the ratio. Needs at least one.
EnvironmentShift environment_shift(const std::vector<double>& differences, double level);

}  // namespace tune::stats
