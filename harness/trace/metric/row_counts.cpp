#include "trace/metric/row_counts.h"

#include "base/stats/quantile.h"
#include "trace/metric/launches.h"
#include "trace/metric/trace_input.h"
#include "trace/role.h"

#include <algorithm>
#include <numeric>

namespace tune::metric {

namespace {

using profile::kNone;

constexpr MetricName kKernels = {"kernel_count", "count"};
constexpr MetricName kMean = {"kernel_time_mean", "s"};
constexpr MetricName kMedian = {"kernel_time_median", "s"};
constexpr MetricName kLaunches = {"launch_count", "count"};
constexpr MetricName kOperators = {"operator_count", "count"};
constexpr MetricName kShortOperators = {"short_operator_ratio", "ratio"};
constexpr std::int64_t kShortNs = 200'000;

bool is_of_a_step(const TraceInput& input, std::uint32_t work) {
  const std::uint32_t call = input.launches.call_of[work];
  return input.begins_in_step(call == kNone ? work : call);
}

void add_kernels(const TraceInput& input, std::vector<Metric>& metrics) {
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    for (const MetricName& name : {kKernels, kMean, kMedian}) {
      metrics.push_back(not_applicable(name, why));
    }
    return;
  }
  const profile::RoleOfEvent role_of(input.timeline);
  std::vector<double> seconds;
  seconds.reserve(input.device_work.size());
  double count = 0;
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category != profile::Category::kernel || !is_of_a_step(input, i)) {
      continue;
    }
    ++count;
    if (role_of(event) == profile::Role::kernel) {
      seconds.push_back(static_cast<double>(event.duration_ns) * 1e-9);
    }
  }
  metrics.push_back(over_steps(kKernels, per_step(count, input), input));
  if (seconds.empty()) {
    metrics.push_back(not_applicable(kMean, "no step launched a kernel that computes"));
    metrics.push_back(not_applicable(kMedian, "no step launched a kernel that computes"));
    return;
  }
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  metrics.push_back(over_steps(kMean, sum / static_cast<double>(seconds.size()), input));
  metrics.push_back(over_steps(kMedian, stats::median(seconds), input));
}

Metric launch_count(const TraceInput& input) {
  if (const std::string why = why_no_calls(input); !why.empty()) {
    return not_applicable(kLaunches, why);
  }
  const auto calls = static_cast<double>(launch_call_seconds(input).size());
  return over_steps(kLaunches, per_step(calls, input), input);
}

void add_operators(const TraceInput& input, std::vector<Metric>& metrics) {
  std::string why = why_no_steps(input);
  double count = 0, self_ns = 0, short_self_ns = 0;
  bool is_any = false;
  for (std::uint32_t i = 0; why.empty() && i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category != profile::Category::cpu_op || !input.tree.is_row(i) ||
        profile::marks_step(input.timeline.name(event))) {
      continue;
    }
    is_any = true;
    if (!input.begins_in_step(i)) {
      continue;
    }
    ++count;
    if (input.phases[i] != table::Phase::data_loading) {
      // Below 0 where rows of a damaged trace overlap.
      const std::int64_t own_ns = std::max<std::int64_t>(0, input.tree.self_ns[i]);
      self_ns += static_cast<double>(own_ns);
      short_self_ns += own_ns <= kShortNs ? static_cast<double>(own_ns) : 0;
    }
  }
  if (why.empty() && !is_any) {
    why = "no operator was recorded (ProfilerActivity.CPU)";
  }
  metrics.push_back(why.empty() ? over_steps(kOperators, per_step(count, input), input)
                                : not_applicable(kOperators, why));
  if (why.empty() && self_ns <= 0) {
    why = "no operator of a step took time of the host";
  }
  metrics.push_back(why.empty() ? over_steps(kShortOperators, short_self_ns / self_ns, input)
                                : not_applicable(kShortOperators, why));
}

}  // namespace

std::vector<Metric> row_counts(const TraceInput& input) {
  std::vector<Metric> metrics;
  metrics.reserve(6);
  add_kernels(input, metrics);
  metrics.push_back(launch_count(input));
  add_operators(input, metrics);
  return metrics;
}

}  // namespace tune::metric
