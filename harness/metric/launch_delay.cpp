#include "metric/launch_delay.h"

#include "metric/launched_kernels.h"
#include "metric/why_missing.h"
#include "stats/median.h"
#include "stats/quantile.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tune::metric {

namespace {

constexpr double kLongDelaySeconds = 100e-6;
constexpr double kSlowCallSeconds = 50e-6;
constexpr std::int64_t kSlowCallNs = 50'000;
constexpr const char* kNotJoined =
    "no kernel can be joined to a launch within steps: calls or correlation ids are missing";

std::string why_no_launched_kernels(const TraceInput& input) {
  std::string why = why_no_kernels(input);
  return why.empty() ? why_no_launches(input) : why;
}

double count_above(const std::vector<double>& values, double limit) {
  return static_cast<double>(
      std::count_if(values.begin(), values.end(), [limit](double value) { return value > limit; }));
}

}  // namespace

std::vector<Metric> launch_delays(const TraceInput& input) {
  constexpr std::array<MetricName, 3> kNames = {{{"launch_delay_median", "s"},
                                                 {"launch_delay_p95", "s"},
                                                 {"launch_delay_outlier_count", "count"}}};
  if (const std::string why = why_no_launched_kernels(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const auto launched = launched_kernels(input);
  if (launched.empty()) {
    return not_applicable(kNames, kNotJoined);
  }
  std::vector<double> seconds;
  seconds.reserve(launched.size());
  for (const auto& [call, kernel] : launched) {
    const auto& events = input.timeline.events;
    const std::int64_t delay_ns = events[kernel].start_ns - events[call].end_ns();
    seconds.push_back(static_cast<double>(std::max<std::int64_t>(delay_ns, 0)) * 1e-9);
  }
  return over_steps(kNames,
                    {stats::median(seconds),
                     stats::quantile(seconds, 0.95),
                     per_step(count_above(seconds, kLongDelaySeconds), input)},
                    input);
}

std::vector<Metric> launch_times(const TraceInput& input) {
  constexpr std::array<MetricName, 2> kNames = {
      {{"launch_time_mean", "s"}, {"slow_launch_ratio", "ratio"}}};
  if (const std::string why = why_no_calls(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const std::vector<double> seconds = launch_call_seconds(input);
  if (seconds.empty()) {
    return not_applicable(kNames, "nothing was launched within steps");
  }
  const auto count = static_cast<double>(seconds.size());
  return over_steps(kNames,
                    {std::accumulate(seconds.begin(), seconds.end(), 0.0) / count,
                     count_above(seconds, kSlowCallSeconds) / count},
                    input);
}

std::vector<Metric> short_kernels(const TraceInput& input) {
  constexpr std::array<MetricName, 2> kNames = {
      {{"short_kernel_count", "count"}, {"short_kernel_ratio", "ratio"}}};
  if (const std::string why = why_no_launched_kernels(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const auto launched = launched_kernels(input);
  if (launched.empty()) {
    return not_applicable(kNames, kNotJoined);
  }
  const auto& events = input.timeline.events;
  const auto is_short = [&events](const LaunchedKernel& pair) {
    const std::int64_t call_ns = events[pair.call].duration_ns;
    return events[pair.kernel].duration_ns < call_ns && call_ns <= kSlowCallNs;
  };
  const auto count = static_cast<double>(std::count_if(launched.begin(), launched.end(), is_short));
  return over_steps(
      kNames, {per_step(count, input), count / static_cast<double>(launched.size())}, input);
}

}  // namespace tune::metric
