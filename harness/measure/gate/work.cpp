#include "measure/gate/work.h"

#include <algorithm>
#include <cstdint>

namespace tune::gate {

std::optional<double> cpu_time(const trial::TrialReply& reply, const trial::TrialSpec& /*spec*/) {
  std::int64_t used_ns = 0, steps = 0;
  for (const trial::Slice& slice : reply.slices) {
    used_ns += slice.disturbance.own_cpu_ns;
    steps += slice.steps;
  }
  return used_ns > 0 && steps > 0
             ? std::optional(static_cast<double>(used_ns) / static_cast<double>(steps) * 1e-9)
             : std::nullopt;
}

bool is_work(std::string_view metric) {
  return metric == "cpu_time";
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
