#include "metric/idle_breakdown.h"

#include "metric/busiest_stream.h"
#include "metric/why_missing.h"

#include <algorithm>
#include <array>

namespace tune::metric {

namespace {

constexpr std::array<MetricName, 5> kNames = {{{"idle_host_wait_ratio", "ratio"},
                                               {"idle_kernel_wait_ratio", "ratio"},
                                               {"idle_other_ratio", "ratio"},
                                               {"host_wait_ratio", "ratio"},
                                               {"kernel_wait_ratio", "ratio"}}};
constexpr std::int64_t kKernelWaitNs = 30'000;

struct IdleTimes {
  std::int64_t host_ns = 0, kernel_ns = 0, other_ns = 0;
  bool has_joined = false;  ///< any work to its call

  std::int64_t sum_ns() const { return host_ns + kernel_ns + other_ns; }
};

IdleTimes sum_idle(const TraceInput& input, std::uint32_t stream) {
  IdleTimes idle;
  bool is_first = true;
  std::int64_t end_ns = 0;  // of all work so far
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& work = input.timeline.events[i];
    if (work.track != stream) {
      continue;
    }
    const std::uint32_t call = input.launches.call_of[i];
    idle.has_joined = idle.has_joined || call != profile::kNone;
    if (!is_first && work.start_ns > end_ns) {
      const std::int64_t gap_ns = input.clock.at(work.start_ns) - input.clock.at(end_ns);
      const bool is_known = call != profile::kNone;
      if (is_known && input.timeline.events[call].start_ns > end_ns) {
        idle.host_ns += gap_ns;
      } else if (is_known && work.start_ns - end_ns < kKernelWaitNs) {
        idle.kernel_ns += gap_ns;
      } else {
        idle.other_ns += gap_ns;
      }
    }
    end_ns = is_first ? work.end_ns() : std::max(end_ns, work.end_ns());
    is_first = false;
  }
  return idle;
}

}  // namespace

std::vector<Metric> idle_breakdown(const TraceInput& input) {
  std::string why = why_no_device_work(input);
  if (why.empty()) {
    why = why_no_launches(input);
  }
  if (!why.empty()) {
    return not_applicable(kNames, why);
  }
  const std::uint32_t stream = busiest_stream(input);
  const IdleTimes idle = stream == profile::kNone ? IdleTimes() : sum_idle(input, stream);
  if (!idle.has_joined) {
    return not_applicable(kNames, "no work of a stream within steps can be joined to its call");
  }
  std::vector<Metric> metrics =
      not_applicable(kNames, "the busiest stream is never idle between two pieces of work");
  const auto sum_ns = static_cast<double>(idle.sum_ns());
  if (sum_ns > 0) {
    metrics[0] = over_steps(kNames[0], static_cast<double>(idle.host_ns) / sum_ns, input);
    metrics[1] = over_steps(kNames[1], static_cast<double>(idle.kernel_ns) / sum_ns, input);
    metrics[2] = over_steps(kNames[2], static_cast<double>(idle.other_ns) / sum_ns, input);
  }
  metrics[3] = share_of_steps(std::string(kNames[3].id), idle.host_ns, input);
  metrics[4] = share_of_steps(std::string(kNames[4].id), idle.kernel_ns, input);
  return metrics;
}

}  // namespace tune::metric
