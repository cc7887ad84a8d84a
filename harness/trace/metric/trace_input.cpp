#include "trace/metric/trace_input.h"

#include "base/assert.h"
#include "trace/table/host_tree.h"
#include "trace/timeline.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tune::metric {

namespace {

using profile::kNone;

// By event, of operators and annotations: the operator or annotation before it in the same row, or
// at the top of the same thread; kNone for the first, and for everything else. Calls into a
// device's library are left out.
std::vector<std::uint32_t> previous_siblings(const profile::Timeline& timeline,
                                             const table::HostTree& tree) {
  std::vector<std::uint32_t> previous(timeline.events.size(), kNone);
  std::vector<std::uint32_t> last_child(timeline.events.size(), kNone);  // by parent
  std::vector<std::uint32_t> last_top(timeline.tracks.size(), kNone);    // by track
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {           // by start
    const profile::Event& event = timeline.events[i];
    const bool is_operator = event.category == profile::Category::cpu_op ||
                             event.category == profile::Category::user_annotation;
    if (!is_operator || !tree.is_row(i)) {
      continue;
    }
    const std::uint32_t parent = tree.parent[i];
    std::uint32_t& last = parent == kNone ? last_top[event.track] : last_child[parent];
    previous[i] = last;
    last = i;
  }
  return previous;
}

}  // namespace

StepClock::StepClock(profile::Intervals steps) : steps_(std::move(steps)) {
  before_ns_.reserve(steps_.size());
  std::int64_t sum_ns = 0;
  for (const profile::Interval& step : steps_) {
    before_ns_.push_back(sum_ns);
    sum_ns += step.length_ns();
  }
}

std::size_t StepClock::begun_at(std::int64_t time_ns) const {
  const auto fits = [&](std::size_t begun) {
    return (begun == 0 || steps_[begun - 1].begin_ns <= time_ns) &&
           (begun == steps_.size() || time_ns < steps_[begun].begin_ns);
  };
  if (!fits(begun_)) {
    const auto later = std::upper_bound(
        steps_.begin(),
        steps_.end(),
        time_ns,
        [](std::int64_t time, const profile::Interval& step) { return time < step.begin_ns; });
    begun_ = static_cast<std::size_t>(later - steps_.begin());
  }
  return begun_;
}

std::int64_t StepClock::at(std::int64_t time_ns) const {
  const std::size_t begun = begun_at(time_ns);
  if (begun == 0) {
    return 0;
  }
  const profile::Interval& step = steps_[begun - 1];
  return before_ns_[begun - 1] + std::min(time_ns, step.end_ns) - step.begin_ns;
}

bool StepClock::runs_at(std::int64_t time_ns) const {
  const std::size_t begun = begun_at(time_ns);
  return begun > 0 && time_ns < steps_[begun - 1].end_ns;
}

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

std::int64_t time_issued_ns(const TraceInput& input, const std::vector<bool>& rows) {
  const std::vector<std::uint32_t> around =
      table::outermost_that(input.tree, [&](std::uint32_t row) { return rows[row]; });
  std::vector<profile::Interval> host, device;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    const std::uint32_t issuing = input.issuing_row[i];
    if (around[i] == i) {
      host.push_back({event.start_ns, event.end_ns()});
    } else if (issuing != profile::kNone && around[issuing] != profile::kNone) {
      device.push_back({event.start_ns, event.end_ns()});
    }
  }
  auto& times = input.partition.has_device_rows ? device : host;
  return length_ns(
      profile::intersect(profile::unite(std::move(times)), input.partition.steps.covered()));
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
  if (!input.partition.steps.are_known) {
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
  Metric share(std::move(id), {.unit = "ratio"});
  share.value = static_cast<double>(ns) / static_cast<double>(input.partition.total_ns());
  share.n = static_cast<std::int64_t>(input.partition.steps.steps.size());
  share.reason = "a share of all steps together has no interval";
  label_steps(share, input);
  return share;
}

Metric over_steps(const MetricName& name, double value, const TraceInput& input) {
  Metric metric(std::string(name.id), {.unit = std::string(name.unit)});
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

namespace {

using profile::Role;

constexpr double kMostUncorrelated = 0.2;  // as the rule incomplete-trace

bool has(const TraceInput& input, Role role) {
  return input.partition.rows[static_cast<std::size_t>(role)] > 0;
}

bool has_kernels(const TraceInput& input) {
  return has(input, Role::kernel) || has(input, Role::communication);
}

// The first of them that is missing.
std::string first_reason(const TraceInput& input, bool is_there, const char* reason) {
  std::string no_steps = why_no_steps(input);
  if (!no_steps.empty() || is_there) {
    return no_steps;
  }
  return input.partition.has_device_rows ? reason : "the trace has rows of the CPU alone";
}

}  // namespace

std::string why_no_kernels(const TraceInput& input) {
  return first_reason(input,
                      has_kernels(input),
                      "no kernel was recorded: none ran, or the profiler did not watch the device");
}

std::string why_no_device_work(const TraceInput& input) {
  return first_reason(input,
                      !input.partition.device_busy.empty(),
                      "no kernel or copy was recorded, only calls of the host");
}

double uncorrelated_ratio(const TraceInput& input) {
  return static_cast<double>(input.kernels_without_call) / static_cast<double>(input.kernels);
}

std::string why_no_launches(const TraceInput& input) {
  if (input.kernels == 0 || uncorrelated_ratio(input) < kMostUncorrelated) {
    return "";
  }
  const auto percent = std::llround(100 * uncorrelated_ratio(input));
  return std::to_string(percent) +
         " % of the kernels cannot be joined to the calls that launched them: calls or correlation "
         "ids are missing";
}

std::string why_no_critical_path(const TraceInput& input) {
  std::string why = why_no_device_work(input);
  if (why.empty()) {
    why = input.critical_path.reason;
  }
  if (why.empty()) {
    why = why_no_launches(input);
  }
  return why.empty() && input.critical_path.length_ns == 0 ? "the path takes no time" : why;
}

std::string why_no_calls(const TraceInput& input) {
  return first_reason(
      input, has(input, Role::runtime), "no call of the host into a device's library was recorded");
}

std::string why_no_operators(const TraceInput& input) {
  std::string no_steps = why_no_steps(input);
  return !no_steps.empty() || has(input, Role::cpu_op)
             ? no_steps
             : "no operator was recorded (ProfilerActivity.CPU)";
}

std::string why_no_communication(const TraceInput& input) {
  return first_reason(input,
                      has(input, Role::communication),
                      "no collective ran: no kernel is called like those of NCCL, RCCL, oneCCL or "
                      "HCCL");
}

std::string why_no_loader(const TraceInput& input) {
  const std::string no_steps = why_no_steps(input);
  return !no_steps.empty() || has(input, Role::data_loading)
             ? no_steps
             : "no row is called enumerate(DataLoader)#: the loader is not PyTorch's, ran outside "
               "of the trace, or does not exist";
}

std::string why_no_marked_steps(const TraceInput& input) {
  const auto& steps = input.partition.steps;
  const bool are_there =
      steps.are_known && !steps.steps.empty() && steps.steps.front().name != "trace";
  return are_there ? "" : "no step is marked: call profiler.step() after each (ProfilerStep# rows)";
}

std::string why_not_several_steps(const TraceInput& input) {
  if (std::string why = why_no_marked_steps(input); !why.empty()) {
    return why;
  }
  return input.partition.steps.steps.size() > 1 ? "" : "one step says nothing about others";
}

}  // namespace tune::metric
