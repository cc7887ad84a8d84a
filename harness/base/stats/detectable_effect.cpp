#include "base/stats/detectable_effect.h"

#include "base/assert.h"
#include "base/stats/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace tune::stats {

namespace {

constexpr std::size_t kEnoughPairs = 20;

struct BoundingLook {
  std::int64_t pairs = 0, k = 0;
};

// The looks that have enough pairs to bound anything.
std::vector<BoundingLook> bounding_looks(const LookSchedule& schedule) {
  std::vector<BoundingLook> looks;
  for (const std::int64_t pairs : schedule.pairs) {
    if (const auto k = signed_rank_k(pairs, schedule.alpha_per_look())) {
      looks.push_back({pairs, *k});
    }
  }
  return looks;
}

// The largest lower bound of all looks at the first pairs of one campaign.
double highest_lower_bound(const std::vector<double>& campaign,
                           const std::vector<BoundingLook>& looks) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const BoundingLook& look : looks) {
    const std::vector<double> seen(campaign.begin(), campaign.begin() + look.pairs);
    highest = std::max(highest, lower_location_bound(seen, look.k));
  }
  return highest;
}

}  // namespace

std::vector<double> centred(std::vector<double> differences) {
  const double location = hodges_lehmann(differences);
  for (double& difference : differences) {
    difference -= location;
  }
  return differences;
}

MinimumDetectableEffect minimum_detectable_effect(const std::vector<double>& aa_differences,
                                                  const LookSchedule& looks,
                                                  double min_effect_ratio,
                                                  const Resampling& resampling,
                                                  double power) {
  TUNE_ASSERT(aa_differences.size() >= 2);
  TUNE_ASSERT(resampling.repeats > 0 && power > 0 && power < 1);
  const std::vector<double> noise = centred(aa_differences);
  const std::vector<BoundingLook> bounding = bounding_looks(looks);
  std::mt19937_64 bits(resampling.seed);
  std::vector<double> campaign(static_cast<std::size_t>(looks.pairs.back()));
  std::vector<double> needed;
  needed.reserve(resampling.repeats);
  for (std::size_t repeat = 0; repeat < resampling.repeats; ++repeat) {
    for (double& difference : campaign) {
      difference = noise[uniform_index(bits, noise.size())];
    }
    needed.push_back(std::log1p(min_effect_ratio) - highest_lower_bound(campaign, bounding));
  }
  std::sort(needed.begin(), needed.end());
  const auto enough =
      static_cast<std::size_t>(std::ceil(power * static_cast<double>(resampling.repeats)));
  MinimumDetectableEffect found{.effect_ratio = std::expm1(std::max(0.0, needed[enough - 1])),
                                .power = power,
                                .pairs = aa_differences.size()};
  if (found.pairs < kEnoughPairs) {
    found.warning = "from only " + std::to_string(found.pairs) + " A/A pairs";
  }
  return found;
}

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
