#include "measure/campaign/warmup.h"

#include "base/assert.h"
#include "base/stats/steady_state.h"
#include "base/units.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tune::campaign {

namespace {

std::vector<double> first_steps(const trial::TrialReply& reply, std::int64_t steps) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(steps));
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::int64_t step_ns = reply.step_ns[static_cast<std::size_t>(i)];
    times.push_back(static_cast<double>(std::max<std::int64_t>(1, step_ns)));
  }
  return times;
}

// "steady after 12 of 64 steps", "not steady in 64 steps (guard)".
std::string claim(const trial::SteadyRecord& record) {
  const std::string steps = std::to_string(record.steps) + " steps";
  return record.steady ? "steady after " + std::to_string(record.cut) + " of " + steps
                       : "not steady in " + steps + " (" + record.reason + ")";
}

}  // namespace

std::optional<WarmupCheck> check_warmup(const trial::TrialReply& reply) {
  if (!reply.warmup_search) {
    return std::nullopt;
  }
  const trial::SteadyRecord& said = *reply.warmup_search;
  WarmupCheck check{.record = said};
  if (said.steps < 1 || said.steps > static_cast<std::int64_t>(reply.step_ns.size())) {
    return check;
  }
  const stats::SteadyState state = stats::find_steady_state(first_steps(reply, said.steps));
  check.record = {.steady = state.is_steady(),
                  .cut = static_cast<std::int64_t>(state.cut_steps),
                  .steps = said.steps,
                  .sigma = state.sigma_ratio,
                  .guard = state.guard_ratio.value_or(0),
                  .reason = stats::to_string(state.reason),
                  .time_to_steady_ns = std::llround(state.time_to_steady_ns)};
  check.is_weak = state.is_weak;
  check.is_recomputed = true;
  const bool same_cut = !said.steady || said.cut == check.record.cut;
  if (said.steady != check.record.steady || !same_cut) {
    check.disagreement =
        "the worker says " + claim(said) + ", its step times say " + claim(check.record);
  }
  return check;
}

namespace {

// To look for a steady state may take this share of a budget, and never more than a minute.
constexpr std::int64_t kBudgetPart = 20;
constexpr std::int64_t kLongestSearchNs = 60'000'000'000;

// After "no steady state in 64 steps of the baseline: ".
std::string why_not_steady(const WarmupCheck& check) {
  if (!check.disagreement.empty()) {
    return check.disagreement;
  }
  const std::string& reason = check.record.reason;
  return reason == stats::to_string(stats::SteadyReason::tail)    ? "its speed changed late"
         : reason == stats::to_string(stats::SteadyReason::guard) ? "its speed kept drifting"
                                                                  : "too few steps";
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
  const auto check = check_warmup(*record->outcome.reply);
  TUNE_ASSERT(check.has_value());
  const std::string steps = std::to_string(check->record.steps);
  WarmupFound found;
  found.is_steady = check->is_steady();
  found.steps = scenario.measure.warmup_steps;
  if (found.is_steady) {
    found.steps = std::max(found.steps, check->record.cut);
    found.time_to_steady_ns = check->record.time_to_steady_ns;
    found.text = "steady after " + std::to_string(check->record.cut) + " steps (" +
                 format_time(check->record.time_to_steady_ns) + ") of " + steps +
                 " of the baseline";
    found.text += check->is_weak ? "; too few for this noise to rule out a slow drift" : "";
  } else {
    found.text =
        "no steady state in " + steps + " steps of the baseline: " + why_not_steady(*check);
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
