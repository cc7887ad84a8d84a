#include "trace/metric/launches.h"

#include "base/stats/quantile.h"
#include "trace/metric/device_use.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tune::metric {

namespace {

std::vector<std::uint32_t> launch_calls(const TraceInput& input) {
  std::vector<std::uint32_t> calls;
  calls.reserve(input.calls.size());
  for (const std::uint32_t i : input.calls) {
    if (input.kind_of(i) == profile::CallKind::launch && input.begins_in_step(i)) {
      calls.push_back(i);
    }
  }
  return calls;
}

}  // namespace

std::vector<LaunchedKernel> launched_kernels(const TraceInput& input) {
  const std::vector<std::uint32_t> calls = launch_calls(input);
  std::vector<LaunchedKernel> launched;
  launched.reserve(calls.size());
  for (const std::uint32_t call : calls) {
    const std::uint32_t work = input.launches.first_work_of[call];
    if (work != profile::kNone &&
        input.timeline.events[work].category == profile::Category::kernel) {
      launched.push_back({call, work});
    }
  }
  return launched;
}

std::vector<double> launch_call_seconds(const TraceInput& input) {
  const std::vector<std::uint32_t> calls = launch_calls(input);
  std::vector<double> seconds;
  seconds.reserve(calls.size());
  for (const std::uint32_t call : calls) {
    seconds.push_back(static_cast<double>(input.timeline.events[call].duration_ns) * 1e-9);
  }
  return seconds;
}

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

namespace {

constexpr std::array<MetricName, 3> kNames = {
    {{"launch_queue_mean", "count"}, {"launch_queue_p95", "count"}, {"queue_full_ratio", "ratio"}}};
constexpr std::size_t kFull = 1022;

struct Change {
  std::int64_t time_ns = 0;  ///< of the clock of steps
  int by = 0;
};

std::vector<Change> queue_changes(const TraceInput& input, std::uint32_t stream) {
  const auto& events = input.timeline.events;
  std::vector<Change> changes;
  changes.reserve(2 * input.device_work.size());
  for (const std::uint32_t i : input.device_work) {
    const std::uint32_t call = input.launches.call_of[i];
    if (events[i].track != stream || call == profile::kNone ||
        input.launches.first_work_of[call] != i) {
      continue;
    }
    const std::int64_t begin_ns = events[i].start_ns;
    changes.push_back({input.clock.at(std::min(events[call].end_ns(), begin_ns)), 1});
    changes.push_back({input.clock.at(begin_ns), -1});
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.by > b.by;  // never below 0
  });
  return changes;
}

// By length of the queue: for how long it had that length.
std::vector<double> times_by_length(const std::vector<Change>& changes, std::int64_t steps_ns) {
  std::vector<double> times(1);
  std::size_t length = 0;
  std::int64_t since_ns = 0;
  for (const Change& change : changes) {
    times[length] += static_cast<double>(change.time_ns - since_ns);
    since_ns = change.time_ns;
    length = change.by > 0 ? length + 1 : length - 1;
    times.resize(std::max(times.size(), length + 1));
  }
  times[length] += static_cast<double>(steps_ns - since_ns);
  return times;
}

}  // namespace

std::vector<Metric> launch_queue(const TraceInput& input) {
  std::string why = why_no_device_work(input);
  if (why.empty()) {
    why = why_no_launches(input);
  }
  if (!why.empty()) {
    return not_applicable(kNames, why);
  }
  const std::uint32_t stream = busiest_stream(input);
  const std::vector<Change> changes =
      stream == profile::kNone ? std::vector<Change>() : queue_changes(input, stream);
  if (changes.empty()) {
    return not_applicable(kNames, "no work of a stream within steps can be joined to its call");
  }
  constexpr double kRatio = 0.95;
  const auto all_ns = static_cast<double>(input.partition.total_ns());
  const std::vector<double> times = times_by_length(changes, input.partition.total_ns());
  double weighted_ns = 0, below_ns = 0, full_ns = 0;
  std::size_t p95 = 0;
  for (std::size_t length = 0; length < times.size(); ++length) {
    weighted_ns += static_cast<double>(length) * times[length];
    full_ns += length >= kFull ? times[length] : 0;
    p95 = below_ns < kRatio * all_ns ? length : p95;
    below_ns += times[length];
  }
  return over_steps(
      kNames, {weighted_ns / all_ns, static_cast<double>(p95), full_ns / all_ns}, input);
}

}  // namespace tune::metric
