#include "trace/metric/step_times.h"

#include "base/stats/quantile.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

namespace {

constexpr std::array<MetricName, 7> kNames = {{{"step_time_p50", "s"},
                                               {"step_time_p95", "s"},
                                               {"step_time_p99", "s"},
                                               {"step_time_cv", "ratio"},
                                               {"outlier_step_count", "count"},
                                               {"first_step_ratio", "ratio"},
                                               {"early_step_ratio", "ratio"}}};
constexpr double kFarDeviations = 3;
constexpr double kLongWaitSeconds = 30e-3;  // gpuprof

double deviation(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) {
    sum += (value - mean) * (value - mean);
  }
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

}  // namespace

std::vector<Metric> step_variance(const TraceInput& input) {
  if (const std::string why = why_not_several_steps(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const std::vector<double> seconds = step_seconds(input);
  const double mean =
      std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
  const double sigma = deviation(seconds, mean);
  const auto far = std::count_if(seconds.begin(), seconds.end(), [&](double value) {
    return std::abs(value - mean) > kFarDeviations * sigma;
  });
  const std::vector<double> others(seconds.begin() + 1, seconds.end());
  const bool has_later = seconds.size() > 2;
  const std::vector<double> later(seconds.begin() + (has_later ? 2 : 1), seconds.end());
  std::vector<Metric> metrics =
      over_steps(kNames,  // every step has a length, so nothing is divided by 0
                 {stats::quantile(seconds, 0.5),
                  stats::quantile(seconds, 0.95),
                  stats::quantile(seconds, 0.99),
                  sigma / mean,
                  static_cast<double>(far),
                  seconds.front() / stats::median(others),
                  (seconds[0] + seconds[1]) / 2 / stats::median(later)},
                 input);
  if (!has_later) {
    metrics.back() = not_applicable(kNames.back(), "there is no step after the first two");
  }
  return metrics;
}

Metric step_count(const TraceInput& input) {
  constexpr MetricName kName = {"step_count", "count"};
  if (const std::string why = why_no_marked_steps(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  return over_steps(kName, static_cast<double>(input.partition.steps.steps.size()), input);
}

std::vector<Metric> data_waits(const TraceInput& input) {
  constexpr std::array<MetricName, 2> kWaits = {
      {{"data_wait_p95", "s"}, {"long_wait_ratio", "ratio"}}};
  constexpr auto kLoading = static_cast<std::size_t>(profile::Role::data_loading);
  if (const std::string why = why_not_several_steps(input); !why.empty()) {
    return not_applicable(kWaits, why);
  }
  if (const std::string why = why_no_loader(input); !why.empty()) {
    return not_applicable(kWaits, why);
  }
  std::vector<double> seconds;
  seconds.reserve(input.partition.parts.size());
  for (const profile::StepPartition& part : input.partition.parts) {
    const std::int64_t ns = part.exposed_ns[kLoading] + part.overlapped_ns[kLoading];
    seconds.push_back(static_cast<double>(ns) * 1e-9);
  }
  const auto long_ones = std::count_if(
      seconds.begin(), seconds.end(), [](double wait) { return wait > kLongWaitSeconds; });
  return over_steps(kWaits,
                    {stats::quantile(seconds, 0.95),
                     static_cast<double>(long_ones) / static_cast<double>(seconds.size())},
                    input);
}

}  // namespace tune::metric
