#include "metric/gpu_busy_ratio.h"

#include "metric/why_missing.h"

#include <numeric>

namespace tune::metric {

Metric gpu_busy_ratio(const TraceInput& input) {
  constexpr const char* kId = "gpu_busy_ratio";
  if (const std::string why = why_no_device_work(input); !why.empty()) {
    return not_applicable(kId, "ratio", why);
  }
  const auto& devices = input.partition.device_busy;
  const profile::Intervals steps = input.partition.steps.covered();
  const auto total_ns = static_cast<double>(input.partition.total_ns());
  std::vector<double> ratios;
  ratios.reserve(devices.size());
  for (const auto& [device, busy] : devices) {
    ratios.push_back(static_cast<double>(length_ns(profile::intersect(steps, busy))) / total_ns);
  }
  const auto count = static_cast<double>(ratios.size());
  Metric metric{.id = kId, .unit = "ratio"};
  metric.value = std::accumulate(ratios.begin(), ratios.end(), 0.0) / count;
  metric.n = static_cast<std::int64_t>(input.partition.steps.steps.size());
  metric.reason = "a share of all steps together has no interval";
  if (ratios.size() > 1) {
    metric.reason = "the mean of " + std::to_string(ratios.size()) + " devices";
  }
  label_steps(metric, input);
  return metric;
}

}  // namespace tune::metric
