#include "stats/detection_chance.h"

#include "base/assert.h"
#include "stats/uniform_index.h"

#include <cmath>
#include <random>

namespace tune::stats {

namespace {

GateVerdict verdict_of(const std::vector<double>& campaign,
                       const EffectLimits& limits,
                       const LookSchedule& looks) {
  GateVerdict verdict = GateVerdict::inconclusive;
  for (std::size_t i = 0; i < looks.pairs.size() && verdict == GateVerdict::inconclusive; ++i) {
    Row row{.limits = limits};
    row.differences.assign(campaign.begin(), campaign.begin() + looks.pairs[i]);
    verdict = gate_verdicts({row}, {.schedule = looks, .index = i}).front().verdict;
  }
  return verdict;
}

}  // namespace

DetectionChance detection_chance(const std::vector<double>& aa_differences,
                                 const EffectLimits& limits,
                                 double effect_ratio,
                                 const Resampling& resampling) {
  TUNE_ASSERT(aa_differences.size() >= 2);
  TUNE_ASSERT(resampling.repeats > 0);
  const LookSchedule looks = make_looks(kGateAlpha, 1);
  const std::vector<double> noise = centred(aa_differences);
  std::mt19937_64 bits(resampling.seed);
  std::vector<double> campaign(static_cast<std::size_t>(looks.pairs.back()));
  std::size_t regressed = 0, inconclusive = 0;
  for (std::size_t repeat = 0; repeat < resampling.repeats; ++repeat) {
    for (double& difference : campaign) {
      difference = noise[uniform_index(bits, noise.size())] + std::log1p(effect_ratio);
    }
    const GateVerdict verdict = verdict_of(campaign, limits, looks);
    regressed += verdict == GateVerdict::regressed ? 1U : 0U;
    inconclusive += verdict == GateVerdict::inconclusive ? 1U : 0U;
  }
  const auto all = static_cast<double>(resampling.repeats);
  return {static_cast<double>(regressed) / all, static_cast<double>(inconclusive) / all};
}

}  // namespace tune::stats
