#include "metric/step_time.h"

#include "metric/why_missing.h"

namespace tune::metric {

std::vector<double> step_seconds(const TraceInput& input) {
  constexpr double kSecondsPerNs = 1e-9;
  const auto& steps = input.partition.steps.steps;
  std::vector<double> seconds;
  seconds.reserve(steps.size());
  for (const profile::Step& step : steps) {
    seconds.push_back(static_cast<double>(step.interval.length_ns()) * kSecondsPerNs);
  }
  return seconds;
}

Metric step_time(const TraceInput& input) {
  if (const std::string why = why_no_marked_steps(input); !why.empty()) {
    return not_applicable("step_time", "s", why);
  }
  Metric metric = of_samples("step_time", "s", step_seconds(input));
  label_steps(metric, input);
  return metric;
}

}  // namespace tune::metric
