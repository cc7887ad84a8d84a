#include "trace/metric/parameter_loops.h"

#include "trace/metric/layers.h"
#include "trace/metric/operator_cost.h"
#include "trace/metric/parameters.h"
#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tune::metric {

namespace {

using profile::Category;
using profile::Event;
using profile::Interval;
using profile::kNone;
using table::Phase;

constexpr std::array<MetricName, 3> kNames = {{{"parameter_loop_count", "count"},
                                               {"parameter_loop_ratio", "ratio"},
                                               {"parameter_detach_count", "count"}}};
constexpr double kLeastParameters = 16;
constexpr std::int64_t kMostBetweenNs = 1'000'000;

bool stores_gradient(std::string_view name) {
  return name == "torch::autograd::AccumulateGrad";
}

// Operators of the script itself in no phase.
bool is_of_script(const TraceInput& input, std::uint32_t row) {
  const auto& events = input.timeline.events;
  const std::uint32_t parent = input.tree.parent[row];
  return events[row].category == Category::cpu_op && input.phases[row] == Phase::other &&
         input.begins_in_step(row) &&
         (parent == kNone || events[parent].category != Category::cpu_op);
}

// One operator after another on one thread.
struct Run {
  Interval interval;
  double operators = 0, detaches = 0;
  double sized = 0, like_gradients = 0;  // operators that say the shape of a tensor with sizes
};

class Loops {
 public:
  Loops(const TraceInput& input, double least)
      : input_(input),
        least_(least),
        is_layer_(input.timeline, is_layer),
        is_of_training_(input.timeline.tracks.size()),
        open_(input.timeline.tracks.size()) {
    look_at_names();
  }

  std::vector<Run> find() {
    std::vector<bool> goes_back(input_.partition.steps.steps.size());
    for (std::uint32_t i = 0; i < input_.phases.size(); ++i) {  // by start
      if (!input_.tree.is_row(i) || !input_.begins_in_step(i)) {
        continue;
      }
      const Event& event = input_.timeline.events[i];
      const Phase phase = input_.phases[i];
      if (phase != Phase::other) {
        goes_back[input_.step_of[i]] = goes_back[input_.step_of[i]] || phase == Phase::backward;
        is_of_training_[event.track] = is_of_training_[event.track] || phase != Phase::backward;
        close(open_[event.track]);
      } else if (is_of_script(input_, i) && goes_back[input_.step_of[i]] &&
                 is_of_training_[event.track] && count_of_[event.name] >= least_in_all_) {
        add(event);
      }
    }
    for (Run& run : open_) {
      close(run);
    }
    return std::move(runs_);
  }

 private:
  // How often each operator is called, and of what shapes gradients are.
  void look_at_names() {
    const auto& events = input_.timeline.events;
    NamesThat stores(input_.timeline, stores_gradient);
    count_of_.resize(input_.timeline.strings.size());
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (!input_.tree.is_row(i)) {
        continue;
      }
      if (is_of_script(input_, i) && !is_layer_(events[i])) {
        ++count_of_[events[i].name];
      } else if (stores(events[i])) {
        gradients_.insert(shape_of(events[i]));
      }
    }
    least_in_all_ = least_ * static_cast<double>(input_.partition.steps.steps.size());
  }

  std::string_view shape_of(const Event& event) const {
    const profile::OpDetail* const op = input_.timeline.op(event);
    return op == nullptr ? std::string_view()
                         : table::list_element(input_.timeline.strings.text(op->input_dims), 0);
  }

  void add(const Event& event) {
    Run& run = open_[event.track];
    if (run.operators > 0 && event.start_ns > run.interval.end_ns + kMostBetweenNs) {
      close(run);
    }
    run.interval = {run.operators > 0 ? run.interval.begin_ns : event.start_ns,
                    std::max(run.interval.end_ns, event.end_ns())};
    ++run.operators;
    run.detaches += input_.timeline.name(event) == "aten::detach" ? 1 : 0;
    const std::string_view shape = shape_of(event);
    const bool has_sizes = shape.size() > 2;  // "[]" is a number
    run.sized += has_sizes ? 1 : 0;
    run.like_gradients += has_sizes && gradients_.contains(shape) ? 1 : 0;
  }

  void close(Run& run) {
    if (run.operators >= least_ && 2 * run.like_gradients >= run.sized) {
      runs_.push_back(run);
    }
    run = {};
  }

  const TraceInput& input_;
  double least_, least_in_all_ = 0;
  NamesThat is_layer_;
  std::vector<double> count_of_;  // by StringId
  std::set<std::string_view> gradients_;
  std::vector<bool> is_of_training_;  // by track: not autograd's own
  std::vector<Run> open_, runs_;      // the first by track
};

std::int64_t cost_of(const TraceInput& input, std::vector<Interval> host) {
  const StepClock loops(profile::unite(host));
  std::vector<Interval> work;
  for (const std::uint32_t i : input.device_work) {
    const std::uint32_t issuing = input.issuing_row[i];
    if (issuing != kNone && input.phases[issuing] == Phase::other &&
        loops.runs_at(input.timeline.events[issuing].start_ns)) {
      work.push_back({input.timeline.events[i].start_ns, input.timeline.events[i].end_ns()});
    }
  }
  return exposed_ns(input, std::move(host), std::move(work));
}

}  // namespace

std::vector<Metric> parameter_loops(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const Metric parameters = parameter_metrics(input).front();
  if (!parameters.is_applicable()) {
    return not_applicable(kNames, parameters.reason);
  }
  const double least = std::max(kLeastParameters, *parameters.value);
  std::vector<Interval> host;
  double operators = 0, detaches = 0;
  for (const Run& run : Loops(input, least).find()) {
    operators += run.operators;
    detaches += run.detaches;
    host.push_back(run.interval);
  }
  return {over_steps(kNames[0], per_step(operators, input), input),
          share_of_steps(std::string(kNames[1].id), cost_of(input, std::move(host)), input),
          over_steps(kNames[2], per_step(detaches, input), input)};
}

}  // namespace tune::metric
