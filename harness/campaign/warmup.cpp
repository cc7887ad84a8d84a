#include "campaign/warmup.h"

#include "base/units.h"
#include "stats/steady_state.h"

#include <algorithm>

namespace tune::campaign {

namespace {

// To look for a steady state may take this share of a budget, and never more than a minute.
constexpr std::int64_t kBudgetPart = 20;
constexpr std::int64_t kLongestSearchNs = 60'000'000'000;

std::vector<double> searched_steps(const trial::TrialReply& reply, std::int64_t steps) {
  std::vector<double> times;
  const auto count = std::min(reply.step_ns.size(), static_cast<std::size_t>(steps));
  for (std::size_t i = 0; i < count; ++i) {
    times.push_back(static_cast<double>(std::max<std::int64_t>(1, reply.step_ns[i])));
  }
  return times;
}

}  // namespace

std::optional<WarmupFound> warmup_found(const scenario::Scenario& scenario,
                                        const std::vector<TrialRecord>& trials) {
  const auto record = std::find_if(trials.begin(), trials.end(), [](const TrialRecord& trial) {
    return trial.stage == "warmup" && trial.outcome.reply && trial.outcome.reply->warmup_search;
  });
  if (record == trials.end()) {
    return std::nullopt;
  }
  const trial::TrialReply& reply = *record->outcome.reply;
  const std::int64_t looked_at = reply.warmup_search->steps;
  const auto times = searched_steps(reply, looked_at);
  const stats::SteadyState state = stats::find_steady_state(times);
  WarmupFound found;
  found.is_steady = state.is_steady();
  if (found.is_steady) {
    found.steps =
        std::max(scenario.measure.warmup_steps, static_cast<std::int64_t>(state.cut_steps));
    found.text = "steady after " + std::to_string(state.cut_steps) + " steps (" +
                 format_time(static_cast<std::int64_t>(state.time_to_steady_ns)) + ") of " +
                 std::to_string(looked_at) + " of the baseline";
    found.text += state.is_weak ? "; too few for this noise to rule out a slow drift" : "";
  } else {
    found.steps = scenario.measure.warmup_steps;
    found.text = std::string("no steady state in ") + std::to_string(looked_at) +
                 " steps of the baseline: " +
                 (state.reason == stats::SteadyReason::tail    ? "its speed changed late"
                  : state.reason == stats::SteadyReason::guard ? "its speed kept drifting"
                                                               : "too few steps");
  }
  return found;
}

trial::Measure measure_of(const scenario::Scenario& scenario,
                          const Slot& slot,
                          const std::optional<WarmupFound>& warmup,
                          std::optional<std::int64_t> budget_ns) {
  trial::Measure measure = scenario.measure;
  measure.slices = slot.slices;
  if (slot.stage == "warmup") {
    measure.find_warmup = true;
    measure.warmup_limit_ns = std::min(kLongestSearchNs, scenario.trial_timeout_ns / 2);
    if (budget_ns) {
      measure.warmup_limit_ns = std::min(measure.warmup_limit_ns, *budget_ns / kBudgetPart);
    }
    return measure;
  }
  measure.spare_slices = slot.stage == "confirm" ? measure.slices : 0;
  measure.epoch = slot.stage == "epoch";
  if (warmup && warmup->is_steady) {
    measure.warmup_steps = warmup->steps;
    measure.warmup_ns = 0;
  }
  return measure;
}

}  // namespace tune::campaign
