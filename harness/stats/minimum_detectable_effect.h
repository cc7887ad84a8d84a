#pragma once

#include "stats/look_schedule.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::stats {

/// How campaigns are drawn from the pairs of an A/A run.
struct Resampling {
  std::size_t repeats = 2000;
  std::uint64_t seed = 1;
};

/// The smallest true slowdown that most campaigns would find.
struct MinimumDetectableEffect {
  double effect_ratio = 0;  ///< 0.02: a slowdown of 2 %
  double power = 0;         ///< share of campaigns that find it
  std::size_t pairs = 0;    ///< A/A pairs that the answer rests on
  std::string warning;      ///< "from only 6 A/A pairs", or ""
};

/// The smallest slowdown e at which a share `power` of campaigns of this schedule have a lower
/// bound above ln(1 + m) by the last look. The budget plays no part: half of all runs with e = b
/// meet it.
///
/// Each campaign draws its differences from the A/A differences (ln of time ratios), less their
/// location, with replacement. Adding ln(1 + e) moves every bound by as much, so each campaign
/// has one smallest e, and the answer is a quantile of those: what bisecting e over the same draws
/// finds. Assumes that a slowdown moves d and does not change its shape. Needs at least two pairs.
MinimumDetectableEffect minimum_detectable_effect(const std::vector<double>& aa_differences,
                                                  const LookSchedule& looks,
                                                  double min_effect_ratio,
                                                  const Resampling& resampling = {},
                                                  double power = 0.9);

/// The differences less their location (Hodges and Lehmann): what A/A noise looks like around 0.
std::vector<double> centred(std::vector<double> differences);

}  // namespace tune::stats
