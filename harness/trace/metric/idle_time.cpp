#include "trace/metric/idle_time.h"

#include "trace/metric/device_use.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tune::metric {

namespace {

constexpr std::array<MetricName, 6> kIdleNames = {{{"idle_host_wait_ratio", "ratio"},
                                                   {"idle_kernel_wait_ratio", "ratio"},
                                                   {"idle_other_ratio", "ratio"},
                                                   {"host_wait_ratio", "ratio"},
                                                   {"kernel_wait_ratio", "ratio"},
                                                   {"host_wait_per_launch_time", "s"}}};
constexpr std::int64_t kKernelWaitNs = 30'000;

struct IdleTimes {
  std::int64_t host_ns = 0, kernel_ns = 0, other_ns = 0;
  std::int64_t pieces = 0;  ///< of work that begin within steps
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
    idle.pieces += input.begins_in_step(i) ? 1 : 0;
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
    return not_applicable(kIdleNames, why);
  }
  const std::uint32_t stream = busiest_stream(input);
  const IdleTimes idle = stream == profile::kNone ? IdleTimes() : sum_idle(input, stream);
  if (!idle.has_joined) {
    return not_applicable(kIdleNames, "no work of a stream within steps can be joined to its call");
  }
  std::vector<Metric> metrics =
      not_applicable(kIdleNames, "the busiest stream is never idle between two pieces of work");
  const auto sum_ns = static_cast<double>(idle.sum_ns());
  if (sum_ns > 0) {
    metrics[0] = over_steps(kIdleNames[0], static_cast<double>(idle.host_ns) / sum_ns, input);
    metrics[1] = over_steps(kIdleNames[1], static_cast<double>(idle.kernel_ns) / sum_ns, input);
    metrics[2] = over_steps(kIdleNames[2], static_cast<double>(idle.other_ns) / sum_ns, input);
  }
  metrics[3] = share_of_steps(std::string(kIdleNames[3].id), idle.host_ns, input);
  metrics[4] = share_of_steps(std::string(kIdleNames[4].id), idle.kernel_ns, input);
  if (idle.pieces > 0) {
    metrics[5] =
        over_steps(kIdleNames[5],
                   static_cast<double>(idle.host_ns) * 1e-9 / static_cast<double>(idle.pieces),
                   input);
  }
  return metrics;
}

namespace {

using profile::Intervals;

constexpr std::array<MetricName, 4> kGapNames = {{{"long_gap_count", "count"},
                                                  {"long_gap_time", "s"},
                                                  {"long_gap_ratio", "ratio"},
                                                  {"gap_time_max", "s"}}};
constexpr std::int64_t kLeastNs = 1'000'000;
constexpr std::int64_t kTimesMedian = 5;
constexpr std::size_t kMostNamed = 20;
constexpr std::size_t kMostDevices = 16;  // of each a gap is as many as the steps that it spans

bool is_longer(const LongGap& a, const LongGap& b) {
  return a.interval.length_ns() > b.interval.length_ns();
}

// Between the first and the last work of the device, within steps.
Intervals gaps_of(const Intervals& busy, const Intervals& steps) {
  Intervals gaps;
  gaps.reserve(busy.size());
  for (std::size_t i = 1; i < busy.size(); ++i) {
    gaps.push_back({busy[i - 1].end_ns, busy[i].begin_ns});
  }
  return profile::intersect(gaps, steps);
}

std::int64_t limit_ns(const Intervals& gaps) {
  if (gaps.empty()) {
    return kLeastNs;
  }
  std::vector<std::int64_t> lengths;
  lengths.reserve(gaps.size());
  for (const profile::Interval& gap : gaps) {
    lengths.push_back(gap.length_ns());
  }
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle > kLeastNs / kTimesMedian ? kTimesMedian * *middle : kLeastNs;
}

struct Gaps {
  std::vector<LongGap> long_ones;
  profile::Interval longest;
  std::size_t devices = 0;  // that were looked at
};

Gaps find_gaps(const TraceInput& input) {
  const Intervals steps = input.partition.steps.covered();
  Gaps found;
  for (const auto& [device, busy] : input.partition.device_busy) {
    if (found.devices == kMostDevices) {
      break;
    }
    ++found.devices;
    const Intervals gaps = gaps_of(busy, steps);
    const std::int64_t least_ns = limit_ns(gaps);
    for (const profile::Interval& gap : gaps) {
      found.longest = gap.length_ns() > found.longest.length_ns() ? gap : found.longest;
      if (gap.length_ns() >= least_ns) {
        found.long_ones.push_back({device, gap, ""});
      }
    }
  }
  return found;
}

bool can_name(const TraceInput& input, const profile::Event& event) {
  return event.category == profile::Category::python_function ||
         ((event.category == profile::Category::cpu_op ||
           event.category == profile::Category::user_annotation) &&
          !profile::marks_step(input.timeline.name(event)));
}

// Rows are few that are long enough to cover half of a long gap, so this is a pass over all rows.
void name_gaps(const TraceInput& input, std::vector<LongGap>& gaps) {
  std::vector<const profile::Event*> shortest(gaps.size(), nullptr);
  for (const profile::Event& event : input.timeline.events) {
    if (event.duration_ns < kLeastNs / 2 || !can_name(input, event)) {
      continue;
    }
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      const profile::Interval& gap = gaps[i].interval;
      const std::int64_t covered_ns =
          std::min(gap.end_ns, event.end_ns()) - std::max(gap.begin_ns, event.start_ns);
      if (covered_ns >= gap.length_ns() - covered_ns &&
          (shortest[i] == nullptr || event.duration_ns < shortest[i]->duration_ns)) {
        shortest[i] = &event;
      }
    }
  }
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    gaps[i].host_row = shortest[i] == nullptr ? "" : std::string(input.timeline.name(*shortest[i]));
  }
}

}  // namespace

std::vector<LongGap> long_gaps(const TraceInput& input) {
  std::vector<LongGap> gaps = find_gaps(input).long_ones;
  std::stable_sort(gaps.begin(), gaps.end(), is_longer);
  gaps.resize(std::min(gaps.size(), kMostNamed));
  name_gaps(input, gaps);
  return gaps;
}

std::vector<Metric> gap_metrics(const TraceInput& input) {
  if (const std::string why = why_no_device_work(input); !why.empty()) {
    return not_applicable(kGapNames, why);
  }
  const Gaps gaps = find_gaps(input);
  double sum_ns = 0;
  for (const LongGap& gap : gaps.long_ones) {
    sum_ns += static_cast<double>(gap.interval.length_ns());
  }
  const auto devices = static_cast<double>(gaps.devices);
  const auto steps_ns = static_cast<double>(input.partition.total_ns());
  return over_steps(kGapNames,
                    {per_step(static_cast<double>(gaps.long_ones.size()), input),
                     sum_ns * 1e-9,
                     sum_ns / devices / steps_ns,
                     static_cast<double>(gaps.longest.length_ns()) * 1e-9},
                    input);
}

Metric gap_host_cover_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"gap_host_cover_ratio", "ratio"};
  if (const std::string why = why_no_device_work(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  const profile::Interval longest = find_gaps(input).longest;
  if (longest.length_ns() == 0) {
    return not_applicable(kName, "no device is silent between two pieces of work");
  }
  std::vector<profile::Interval> rows;
  rows.reserve(64);
  for (const profile::Event& event : input.timeline.events) {
    if (event.end_ns() > longest.begin_ns && event.start_ns < longest.end_ns &&
        (can_name(input, event) || profile::is_device_call(event.category))) {
      rows.push_back({event.start_ns, event.end_ns()});
    }
  }
  const profile::Intervals covered = profile::intersect(profile::unite(std::move(rows)), {longest});
  return over_steps(
      kName,
      static_cast<double>(length_ns(covered)) / static_cast<double>(longest.length_ns()),
      input);
}

}  // namespace tune::metric
