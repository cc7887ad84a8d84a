#pragma once

#include "stats/minimum_detectable_effect.h"
#include "stats/verdict.h"

#include <vector>

namespace tune::stats {

/// Share of campaigns in which the gate says `regressed` about one row whose true slowdown is
/// `effect_ratio`, and `inconclusive`; sampling stops at the first look that decides, as a gate
/// does.
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
