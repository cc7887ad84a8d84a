#include "metric/step_time.h"

namespace tune::metric {

Metric step_time(const TraceInput& input) {
  const auto& steps = input.partition.steps;
  if (!steps.are_marked || steps.steps.empty() || steps.steps.front().name == "trace") {
    return not_applicable(
        "step_time",
        "s",
        "no step is marked: call profiler.step() after each (ProfilerStep# rows)");
  }
  constexpr double kSecondsPerNs = 1e-9;
  std::vector<double> seconds;
  seconds.reserve(steps.steps.size());
  for (const profile::Step& step : steps.steps) {
    seconds.push_back(static_cast<double>(step.interval.length_ns()) * kSecondsPerNs);
  }
  Metric metric = of_samples("step_time", "s", seconds);
  label_steps(metric, input);
  return metric;
}

}  // namespace tune::metric
