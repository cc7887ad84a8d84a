#include "measure/gate/work.h"

#include "trial/window_sums.h"

#include <algorithm>

namespace tune::gate {

std::optional<double> cpu_time(const trial::TrialReply& reply, const trial::TrialSpec& /*spec*/) {
  const trial::WindowSums window = trial::window_sums(reply.slices);
  return window.own_cpu_ns > 0 ? window.per_step_s(window.own_cpu_ns) : std::nullopt;
}

std::optional<double> instructions(const trial::TrialReply& reply,
                                   const trial::TrialSpec& /*spec*/) {
  const trial::WindowSums window = trial::window_sums(reply.slices);
  return window.steps > 0 && window.instructions.value_or(0) > 0
             ? std::optional(*window.instructions / window.steps)
             : std::nullopt;
}

bool is_work(std::string_view metric) {
  return metric == "cpu_time" || metric == "instructions";
}

std::string why_missing(std::string_view metric) {
  return metric == "instructions"
             ? " (the processor's counter is closed to programs here, as in most virtual machines "
               "and containers). Gate cpu_time?"
             : "";
}

bool judges_work(const Policy& policy) {
  return std::any_of(policy.budgets.begin(), policy.budgets.end(), [](const Budget& budget) {
    return is_work(budget.metric);
  });
}

bool resists_other_work(std::string_view metric) {
  return is_work(metric) || metric == "peak_memory_bytes";
}

}  // namespace tune::gate
