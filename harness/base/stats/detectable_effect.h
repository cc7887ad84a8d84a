#pragma once

#include "base/stats/looks.h"
#include "base/stats/verdict.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tune::stats {

/// Uniform in [0, count). Depends only on the seed, unlike std::uniform_int_distribution, which
/// differs between libraries. `count` must be above 0.
inline std::uint64_t uniform_index(std::mt19937_64& bits, std::uint64_t count) {
  // The first 2^64 mod count of all 2^64 values would make some indices more likely.
  const std::uint64_t surplus = (0 - count) % count;
  std::uint64_t drawn = bits();
  while (drawn < surplus) {
    drawn = bits();
  }
  return drawn % count;
}

/// How campaigns are drawn from the pairs of an A/A run.
struct Resampling {
  std::size_t repeats = 2000;
  std::uint64_t seed = 1;
};

/// The smallest true slowdown that most campaigns would find.
struct MinimumDetectableEffect {
  double effect_ratio = 0;  ///< 0.02: a slowdown of 2 %
  double power = 0;         ///< share of campaigns that find it
  std::size_t pairs = 0;    ///< A/A pairs behind the answer
  std::string warning;      ///< "from only 6 A/A pairs", or ""
};

/// The smallest slowdown e at which a share `power` of campaigns with this schedule have a lower
/// bound above ln(1 + m) by the last look. The budget does not matter: half of all runs with e = b
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

/// Shares of campaigns in which the gate calls one row with the true slowdown `effect_ratio`
/// `regressed`, and `inconclusive`; sampling stops at the first look that decides, as in a gate.
struct DetectionChance {
  double regressed = 0, inconclusive = 0;
};

/// Campaigns are drawn as in minimum_detectable_effect(), from A/A differences; the schedule is
/// that of one row.
DetectionChance detection_chance(const std::vector<double>& aa_differences,
                                 const EffectLimits& limits,
                                 double effect_ratio,
                                 const Resampling& resampling = {});

}  // namespace tune::stats
