#include "scenario/plan_cost.h"

#include <algorithm>
#include <limits>

namespace tune::scenario {

namespace {

constexpr std::int64_t kStartNs = 1'000'000'000;  // LibTorch loads, model and loader are built

// Both at least 0.
std::int64_t product(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
  return b != 0 && a > kMost / b ? kMost : a * b;
}

}  // namespace

PlanCost plan_cost(const Scenario& scenario, const Plan& plan) {
  const auto cells = static_cast<std::int64_t>(plan.cells.size());
  PlanCost cost;
  cost.trials = scenario.rounds * cells + (cells > 1 ? 2 * scenario.confirm_rounds : 0);
  cost.trial_ns =
      std::min(kStartNs + std::min(scenario.measure.warmup_ns, scenario.trial_timeout_ns) +
                   product(scenario.measure.slices, scenario.measure.slice_ns),
               scenario.trial_timeout_ns);
  cost.total_ns = product(cost.trials, cost.trial_ns);
  return cost;
}

}  // namespace tune::scenario
