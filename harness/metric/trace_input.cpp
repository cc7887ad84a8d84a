#include "metric/trace_input.h"

#include "base/assert.h"
#include "metric/siblings.h"

#include <utility>

namespace tune::metric {

namespace {

std::vector<std::uint32_t> find_steps_of(const profile::Timeline& timeline,
                                         const profile::Steps& steps) {
  std::vector<std::uint32_t> step_of(timeline.events.size(), profile::kNone);
  std::uint32_t step = 0;
  for (std::size_t i = 0; i < step_of.size(); ++i) {  // by start
    const std::int64_t start_ns = timeline.events[i].start_ns;
    while (step < steps.steps.size() && steps.steps[step].interval.end_ns <= start_ns) {
      ++step;
    }
    if (step < steps.steps.size() && steps.steps[step].interval.begin_ns <= start_ns) {
      step_of[i] = step;
    }
  }
  return step_of;
}

profile::CriticalPath path_of_steps(const profile::Timeline& timeline,
                                    const profile::Partition& partition,
                                    const profile::Launches& launches) {
  const auto& steps = partition.steps.steps;
  if (!partition.has_device_rows || steps.empty()) {
    return {.reason = "the trace has rows of the CPU alone"};
  }
  return profile::find_critical_path(
      timeline, launches, {steps.front().interval.begin_ns, steps.back().interval.end_ns});
}

// Most metrics look at a third of the rows: once for all of them.
void sort_out_rows(const profile::Timeline& timeline, TraceInput& input) {
  input.device_work.reserve(timeline.events.size() / 3);
  input.calls.reserve(timeline.events.size() / 3);
  bool is_any_joined = false;
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const profile::Category category = timeline.events[i].category;
    if (profile::is_device_work(category)) {
      input.device_work.push_back(i);
      if (category == profile::Category::kernel) {
        ++input.kernels;
        const bool has_call = input.launches.call_of[i] != profile::kNone;
        is_any_joined = is_any_joined || has_call;
        input.kernels_without_call += has_call || !is_any_joined ? 0 : 1;
      }
    } else if (profile::is_device_call(category)) {
      input.calls.push_back(i);
    }
  }
  input.kernels_without_call = is_any_joined ? input.kernels_without_call : input.kernels;
}

}  // namespace

TraceInput examine(const profile::Timeline& timeline) {
  TraceInput input{.timeline = timeline};
  input.partition = profile::partition_steps(timeline);
  input.launches = profile::find_launches(timeline);
  input.kind_of = profile::CallKinds(timeline, input.launches);
  input.runtime = profile::split_runtime(timeline, input.partition, input.kind_of);
  input.critical_path = path_of_steps(timeline, input.partition, input.launches);
  input.tree = table::nest_host_rows(timeline);
  input.issuing_row = table::issuing_rows(timeline, input.tree, input.launches);
  input.phases = table::find_phases(timeline, input.tree, input.issuing_row);
  input.previous = previous_siblings(timeline, input.tree);
  input.step_of = find_steps_of(timeline, input.partition.steps);
  input.clock = StepClock(input.partition.steps.covered());
  sort_out_rows(timeline, input);
  return input;
}

table::TableInput table_input(const TraceInput& input) {
  return {input.timeline,
          input.partition,
          input.launches,
          input.kind_of,
          input.runtime,
          input.critical_path,
          input.tree,
          input.issuing_row};
}

std::string why_no_steps(const TraceInput& input) {
  return input.partition.total_ns() > 0 ? "" : "the trace has no row with a duration";
}

void label_steps(Metric& metric, const TraceInput& input) {
  if (!input.partition.steps.are_marked) {
    metric.warnings.emplace_back(kNoStepMarks);
  }
  if (input.partition.steps.steps.size() == 1) {
    metric.warnings.emplace_back(kOneStep);
  }
  if (input.timeline.cut_at_ns) {
    metric.warnings.emplace_back(kCutByMemory);
  }
}

void label_inferred_waits(std::vector<Metric>& metrics, const TraceInput& input) {
  if (input.critical_path.inferred_waits == 0) {
    return;
  }
  for (Metric& metric : metrics) {
    metric.warnings.emplace_back(kInferredWaits);
  }
}

Metric share_of_steps(std::string id, std::int64_t ns, const TraceInput& input) {
  Metric share{.id = std::move(id), .unit = "ratio"};
  share.value = static_cast<double>(ns) / static_cast<double>(input.partition.total_ns());
  share.n = static_cast<std::int64_t>(input.partition.steps.steps.size());
  share.reason = "a share of all steps together has no interval";
  label_steps(share, input);
  return share;
}

Metric over_steps(const MetricName& name, double value, const TraceInput& input) {
  Metric metric{.id = std::string(name.id), .unit = std::string(name.unit)};
  metric.value = value;
  metric.n = static_cast<std::int64_t>(input.partition.steps.steps.size());
  metric.reason = "one number of all steps together has no interval";
  label_steps(metric, input);
  return metric;
}

std::vector<Metric> over_steps(std::span<const MetricName> names,
                               const std::vector<double>& values,
                               const TraceInput& input) {
  TUNE_ASSERT(names.size() == values.size());
  std::vector<Metric> metrics;
  metrics.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    metrics.push_back(over_steps(names[i], values[i], input));
  }
  return metrics;
}

double per_step(double sum, const TraceInput& input) {
  return sum / static_cast<double>(input.partition.steps.steps.size());
}

}  // namespace tune::metric
