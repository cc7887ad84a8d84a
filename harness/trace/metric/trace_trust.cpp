#include "trace/metric/trace_trust.h"

#include "trace/metric/trace_input.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tune::metric {

namespace {

using profile::Category;

constexpr std::array<MetricName, 8> kNames = {{{"uncorrelated_kernel_ratio", "ratio"},
                                               {"dropped_event_count", "count"},
                                               {"max_event_time", "s"},
                                               {"span_time", "s"},
                                               {"overhead_ratio", "ratio"},
                                               {"lazy_load_count", "count"},
                                               {"cut_off_row_count", "count"},
                                               {"xla_row_count", "count"}}};

struct Sums {
  double lazy_loads = 0;
  std::int64_t longest_ns = 0, begin_ns = 0, end_ns = 0;
  bool has_work = false;
  std::vector<profile::Interval> overhead;
};

bool is_work(Category category) {
  return category == Category::cpu_op || profile::is_device_call(category) ||
         profile::is_device_work(category);
}

void add_work(Sums& sums, const profile::Event& event) {
  sums.longest_ns = std::max(sums.longest_ns, event.duration_ns);
  sums.begin_ns = sums.has_work ? sums.begin_ns : event.start_ns;  // events are in order
  sums.end_ns = sums.has_work ? std::max(sums.end_ns, event.end_ns()) : event.end_ns();
  sums.has_work = true;
}

Sums sum_up(const TraceInput& input) {
  Sums sums;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (is_work(event.category)) {
      add_work(sums, event);
    }
    if (event.category == Category::overhead) {
      sums.overhead.push_back({event.start_ns, event.end_ns()});
      const bool is_loading = input.timeline.name(event).find("Loading") != std::string_view::npos;
      sums.lazy_loads += is_loading && input.begins_in_step(i) ? 1 : 0;
    }
  }
  return sums;
}

}  // namespace

std::vector<Metric> trace_trust(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  Sums sums = sum_up(input);
  std::vector<Metric> metrics =
      not_applicable(kNames, "no row of the profiler's own overhead was written");
  const std::string no_kernels = why_no_kernels(input);
  metrics[0] = no_kernels.empty() ? over_steps(kNames[0], uncorrelated_ratio(input), input)
                                  : not_applicable(kNames[0], no_kernels);
  metrics[1] =
      over_steps(kNames[1],
                 static_cast<double>(input.timeline.notes.total(profile::NoteClass::dropped)),
                 input);
  metrics[6] = over_steps(
      kNames[6],
      static_cast<double>(input.timeline.notes.of(profile::NoteKind::truncated_tail).count),
      input);
  metrics[7] = over_steps(kNames[7], static_cast<double>(input.timeline.xla_rows), input);
  if (sums.has_work) {
    const auto span_ns = static_cast<double>(sums.end_ns) - static_cast<double>(sums.begin_ns);
    metrics[2] = over_steps(kNames[2], static_cast<double>(sums.longest_ns) * 1e-9, input);
    metrics[3] = over_steps(kNames[3], span_ns * 1e-9, input);
  } else {
    metrics[2] = not_applicable(kNames[2], "no operator, call or device work was recorded");
    metrics[3] = not_applicable(kNames[3], "no operator, call or device work was recorded");
  }
  if (!sums.overhead.empty()) {
    const profile::Intervals overhead = profile::intersect(profile::unite(std::move(sums.overhead)),
                                                           input.partition.steps.covered());
    metrics[4] = share_of_steps(std::string(kNames[4].id), length_ns(overhead), input);
    metrics[5] = over_steps(kNames[5], per_step(sums.lazy_loads, input), input);
  }
  return metrics;
}

}  // namespace tune::metric
