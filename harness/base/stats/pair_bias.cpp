#include "base/stats/pair_bias.h"

#include "base/assert.h"
#include "base/stats/log_ratio.h"
#include "base/stats/signed_rank.h"

#include <algorithm>
#include <cmath>

namespace tune::stats {

namespace {

constexpr double kSmallRatio = 0.01;

}  // namespace

EnvironmentShift environment_shift(const std::vector<double>& differences, double level) {
  const LocationBounds bounds = location_bounds(differences, level);
  EnvironmentShift shift{.lower = bounds.lower, .estimate = bounds.estimate, .upper = bounds.upper};
  const double small = std::log1p(kSmallRatio);
  shift.is_shifted = shift.lower > small || shift.upper < -small;
  if (shift.is_shifted) {
    shift.warning = "the machine ran " + percent_text(std::abs(gain_of(shift.estimate))) +
                    (shift.estimate > 0 ? " slower" : " faster") +
                    " next to the candidate: not its code";
  }
  return shift;
}

namespace {

constexpr double kLargeRatio = 0.02;
constexpr double kLevel = 0.025;

}  // namespace

PositionEffect position_effect(const std::vector<double>& differences,
                               const std::vector<PairOrder>& orders) {
  TUNE_ASSERT(differences.size() == orders.size());
  std::vector<double> baseline_first, candidate_first;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    (orders[i] == PairOrder::baseline_first ? baseline_first : candidate_first)
        .push_back(differences[i]);
  }
  PositionEffect effect;
  effect.blocks = std::min(baseline_first.size(), candidate_first.size());
  if (effect.blocks == 0) {
    return effect;
  }
  std::vector<double> halves;
  for (std::size_t i = 0; i < effect.blocks; ++i) {
    halves.push_back((baseline_first[i] - candidate_first[i]) / 2);
  }
  const LocationBounds bounds = location_bounds(halves, kLevel);
  effect.log_ratio = bounds.estimate;
  effect.lower = bounds.lower;
  effect.upper = bounds.upper;
  effect.is_large = std::abs(effect.log_ratio) > std::log1p(kLargeRatio);
  if (effect.is_large) {
    effect.warning = "the second process of a pair is " +
                     percent_text(std::abs(gain_of(effect.log_ratio))) +
                     (effect.log_ratio > 0 ? " slower" : " faster");
  }
  return effect;
}

}  // namespace tune::stats
