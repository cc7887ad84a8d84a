#include "scenario/plan_cost.h"

#include <algorithm>
#include <limits>

namespace tune::scenario {

namespace {

constexpr std::int64_t kStartNs = 1'000'000'000;  // LibTorch loads, model and loader are built

// Pairs at which one confirmed cell is first looked at (stats/look_schedule.h).
constexpr std::int64_t kFirstLook = 7;

// Below that many cells a guided search measures all of them; above, about this share of the trials
// (search_simulation in tests/bench: 24 to 35 %).
constexpr std::int64_t kSmallestGuided = 16;
constexpr std::int64_t kGuidedPercent = 30;

// Both at least 0.
std::int64_t product(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
  return b != 0 && a > kMost / b ? kMost : a * b;
}

}  // namespace

PlanCost plan_cost(const Scenario& scenario, const Plan& plan) {
  const std::int64_t cells = static_cast<std::int64_t>(plan.cells.size());
  PlanCost cost;
  cost.confirm_rounds = std::min(kFirstLook, scenario.confirm_rounds.value_or(kFirstLook));
  cost.is_estimated = scenario.strategy != "grid" && cells >= kSmallestGuided;
  const std::int64_t whole = scenario.rounds * cells;
  cost.trials = cost.is_estimated ? whole * kGuidedPercent / 100 : whole;
  cost.trials += cells > 1 ? 2 * cost.confirm_rounds : 0;
  cost.trial_ns =
      std::min(kStartNs + std::min(scenario.measure.warmup_ns, scenario.trial_timeout_ns) +
                   product(scenario.measure.slices, scenario.measure.slice_ns),
               scenario.trial_timeout_ns);
  cost.total_ns = product(cost.trials, cost.trial_ns);
  return cost;
}

}  // namespace tune::scenario
