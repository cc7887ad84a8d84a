#include "metric/trace_metrics.h"

#include "metric/data_wait_ratio.h"
#include "metric/gpu_busy_ratio.h"
#include "metric/partition_ratio.h"
#include "metric/step_time.h"

#include <array>

namespace tune::metric {

namespace {

constexpr std::array kMetrics = {&step_time, &gpu_busy_ratio, &data_wait_ratio};

}  // namespace

std::vector<Metric> trace_metrics(const TraceInput& input) {
  std::vector<Metric> metrics;
  metrics.reserve(profile::kRoles + kMetrics.size());
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    metrics.push_back(partition_ratio(input, static_cast<profile::Role>(role)));
  }
  for (const auto metric : kMetrics) {
    metrics.push_back(metric(input));
  }
  return metrics;
}

}  // namespace tune::metric
