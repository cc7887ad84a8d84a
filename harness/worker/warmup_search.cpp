#include "worker/warmup_search.h"

#include "base/stats/steady_state.h"
#include "worker/measured_window.h"

#include <bit>
#include <cmath>

namespace tune::worker {

namespace {

constexpr std::size_t kFewestSteps = 16;
constexpr std::int64_t kPartForFewSteps = 4;  // of the limit

stats::SteadyState look_at(const std::vector<std::int64_t>& step_ns) {
  return stats::find_steady_state({step_ns.begin(), step_ns.end()});
}

trial::SteadyRecord to_record(const stats::SteadyState& state, std::size_t steps) {
  trial::SteadyRecord record;
  record.steady = state.is_steady();
  record.cut = static_cast<std::int64_t>(state.cut_steps);
  record.steps = static_cast<std::int64_t>(steps);
  record.sigma = state.sigma_ratio;
  record.guard = state.guard_ratio.value_or(0);
  record.reason = stats::to_string(state.reason);
  record.time_to_steady_ns = std::llround(state.time_to_steady_ns);
  return record;
}

}  // namespace

trial::SteadyRecord steady_record(const std::vector<std::int64_t>& step_ns) {
  return to_record(look_at(step_ns), step_ns.size());
}

bool WarmupSearch::is_over(const std::vector<std::int64_t>& step_ns, std::int64_t passed_ns) {
  const std::size_t steps = step_ns.size();
  const bool is_least_done =
      static_cast<std::int64_t>(steps) >= measure_.warmup_steps && passed_ns >= measure_.warmup_ns;
  const bool is_last_look =
      is_least_done && (passed_ns >= measure_.warmup_limit_ns || steps >= kMostSteps);
  const bool is_look = is_least_done && steps >= kFewestSteps && std::has_single_bit(steps);
  if (!is_look && !is_last_look) {
    return false;
  }
  const stats::SteadyState state = look_at(step_ns);
  record_ = to_record(state, steps);
  const bool is_trusted =
      !state.is_weak || passed_ns >= measure_.warmup_limit_ns / kPartForFewSteps;
  return is_last_look || (state.is_steady() && is_trusted);
}

}  // namespace tune::worker
