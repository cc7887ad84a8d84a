#include "campaign/trial_cost.h"

#include <algorithm>

namespace tune::campaign {

std::int64_t expected_trial_ns(const scenario::Scenario& scenario) {
  constexpr std::int64_t kStartNs = 1'000'000'000;
  const trial::Measure& measure = scenario.measure;
  return kStartNs + measure.warmup_ns + measure.slices * measure.slice_ns;
}

void TrialCost::add(const CellHistory& before, const CellHistory& after) {
  total_ns_ += after.cost_ns - before.cost_ns;
  trials_ += after.trials - before.trials;
}

std::int64_t TrialCost::of(const CellHistory& history) const {
  if (history.trials > 0) {
    return history.cost_ns / history.trials;
  }
  return trials_ > 0 ? total_ns_ / trials_ : expected_ns_;
}

}  // namespace tune::campaign
