#include "scenario/plan_cost.h"

#include <algorithm>
#include <limits>

namespace tune::scenario {

namespace {

constexpr std::int64_t kStartNs = 1'000'000'000;  // LibTorch loads, model and loader are built

// Pairs at which one confirmed cell is first looked at (stats/look_schedule.h), also where a
// precision is wanted.
constexpr std::int64_t kFirstLook = 7, kFirstPreciseLook = 9;

// A guided search measures about this share of the trials (search_simulation in tests/bench: 25 to
// 35 %).
constexpr std::int64_t kGuidedPercent = 30;

// Both at least 0.
std::int64_t product(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
  return b != 0 && a > kMost / b ? kMost : a * b;
}

std::int64_t rounds_to_first_look(const Scenario& scenario) {
  const std::int64_t look = scenario.confirm_until ? kFirstPreciseLook : kFirstLook;
  return scenario.confirms() ? std::min(look, scenario.confirm_rounds.value_or(look)) : 0;
}

}  // namespace

PlanCost plan_cost(const Scenario& scenario, const Plan& plan) {
  const std::int64_t cells = static_cast<std::int64_t>(plan.cells.size());
  PlanCost cost;
  cost.confirm_rounds = rounds_to_first_look(scenario);
  cost.is_estimated = scenario.strategy == "guided" && cells >= kSmallestGuided;
  const std::int64_t whole = scenario.rounds * cells;
  const bool has_audit = scenario.exhaustive && nothing_to_audit(scenario, plan).empty();
  cost.audit_trials = has_audit ? whole : 0;
  cost.trials = cost.is_estimated ? whole * kGuidedPercent / 100 : whole;
  cost.trials += cost.audit_trials;
  cost.trials += cells > 1 ? 2 * cost.confirm_rounds : 0;
  cost.trial_ns =
      std::min(kStartNs + std::min(scenario.measure.warmup_ns, scenario.trial_timeout_ns) +
                   product(scenario.measure.slices, scenario.measure.slice_ns),
               scenario.trial_timeout_ns);
  cost.total_ns = product(cost.trials, cost.trial_ns);
  return cost;
}

std::string nothing_to_audit(const Scenario& scenario, const Plan& plan) {
  const auto cells = static_cast<std::int64_t>(plan.cells.size());
  if (cells < 2) {
    return "there is no cell but the baseline";
  }
  if (scenario.strategy == "grid") {
    return "strategy grid measures every cell whole";
  }
  if (scenario.strategy == "random") {  // a budget may end it early
    return scenario.budget_ns ? "" : "strategy random without a budget measures every cell whole";
  }
  return cells >= kSmallestGuided
             ? ""
             : "a guided search measures a grid of " + std::to_string(cells) +
                   " cells whole (fewer than " + std::to_string(kSmallestGuided) + ")";
}

}  // namespace tune::scenario
