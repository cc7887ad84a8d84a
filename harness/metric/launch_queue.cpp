#include "metric/launch_queue.h"

#include "metric/busiest_stream.h"
#include "metric/why_missing.h"

#include <algorithm>
#include <array>

namespace tune::metric {

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
