#include "campaign/warmup_check.h"

#include "stats/steady_state.h"

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

}  // namespace tune::campaign
