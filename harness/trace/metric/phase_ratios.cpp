#include "trace/metric/phase_ratios.h"

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tune::metric {

namespace {

using profile::Category;
using profile::Interval;
using profile::Intervals;
using profile::kNone;
using table::Phase;

struct PhaseName {
  Phase phase;
  MetricName name;
  const char* lacks;
};
constexpr std::array<PhaseName, 4> kPhaseNames = {
    {{Phase::forward,
      {"forward_ratio", "ratio"},
      "no range is called forward, and autograd went back through nothing"},
     {Phase::backward, {"backward_ratio", "ratio"}, "autograd did not run, or was not recorded"},
     {Phase::optimizer, {"optimizer_ratio", "ratio"}, "no row is called Optimizer.step#"},
     {Phase::zero_grad, {"zero_grad_ratio", "ratio"}, "no row is called Optimizer.zero_grad#"}}};
constexpr std::array<MetricName, 5> kOptimizer = {{{"optimizer_exposed_ratio", "ratio"},
                                                   {"optimizer_device_ratio", "ratio"},
                                                   {"optimizer_kernel_count", "count"},
                                                   {"optimizer_operator_count", "count"},
                                                   {"multi_tensor_count", "count"}}};
constexpr const char* kNoOptimizer = "no row is called Optimizer.step#";

bool is_step(std::string_view name) {
  return name.starts_with("Optimizer.step#");
}

bool updates_many(std::string_view name) {
  return name.starts_with("aten::_foreach_") || name.starts_with("aten::_fused_") ||
         name.find("multi_tensor") != std::string_view::npos;
}

// What an optimizer's step calls that is not the update: a closure that computes the loss.
class Closures {
 public:
  // In order of their begin. Between two operators of closures, with none of the update between
  // them, the time is the closure's too.
  void add_part(const Interval& part, bool is_of_closure) {
    if (is_of_closure) {
      parts_.push_back(
          {was_closure_ ? std::min(end_ns_, part.begin_ns) : part.begin_ns, part.end_ns});
    }
    was_closure_ = is_of_closure;
    end_ns_ = part.end_ns;
  }
  // Another step begins.
  void begin() { was_closure_ = false; }

  // `backward`: autograd may run on a thread of its own.
  Intervals of(const std::vector<Interval>& backward) && {
    if (!parts_.empty()) {
      parts_.insert(parts_.end(), backward.begin(), backward.end());
    }
    return profile::unite(std::move(parts_));
  }

 private:
  std::vector<Interval> parts_;
  bool was_closure_ = false;
  std::int64_t end_ns_ = 0;
};

struct PhaseRows {
  std::array<std::vector<Interval>, table::kPhases> host;
  Closures closures;
  std::vector<Interval> optimizer_work;  // on devices
  double kernels = 0, operators = 0, multi_tensor = 0;

  std::vector<Interval>& of(Phase phase) { return host[static_cast<std::size_t>(phase)]; }

  void without_closures() {
    const Intervals closed = std::move(closures).of(of(Phase::backward));
    if (!closed.empty()) {
      of(Phase::optimizer) =
          profile::subtract(profile::unite(std::move(of(Phase::optimizer))), closed);
    }
  }
};

class Collection {
 public:
  explicit Collection(const TraceInput& input)
      : input_(input), is_step_(input.timeline, is_step), is_multi_(input.timeline, updates_many) {}

  PhaseRows rows() {
    for (std::uint32_t i = 0; i < input_.timeline.events.size(); ++i) {
      if (input_.tree.is_row(i)) {
        add_row(i);
      } else if (input_.issuing_row[i] != kNone) {
        add_work(i);
      }
    }
    return std::move(rows_);
  }

 private:
  void add_row(std::uint32_t i) {
    const Phase phase = input_.phases[i];
    if (phase == Phase::other || phase == Phase::transfer) {
      return;
    }
    const profile::Event& event = input_.timeline.events[i];
    const Interval interval = {event.start_ns, event.end_ns()};
    rows_.of(phase).push_back(interval);
    const std::uint32_t parent = input_.tree.parent[i];
    if (phase != Phase::optimizer) {
      if (parent != kNone && input_.phases[parent] == Phase::optimizer) {
        rows_.closures.add_part(interval, true);
      }
    } else if (is_step_(event)) {
      rows_.closures.begin();
    } else if (is_called_by_step(i)) {
      rows_.closures.add_part(interval, false);
      if (input_.begins_in_step(i)) {
        ++rows_.operators;
        rows_.multi_tensor += is_multi_(event) ? 1 : 0;
      }
    }
  }

  // No operator of the optimizer around it but the one that marks the step.
  bool is_called_by_step(std::uint32_t i) {
    const auto& events = input_.timeline.events;
    if (events[i].category != Category::cpu_op || is_step_(events[i])) {
      return false;
    }
    const std::uint32_t parent = input_.tree.parent[i];
    return parent == kNone || events[parent].category != Category::cpu_op ||
           is_step_(events[parent]);
  }

  void add_work(std::uint32_t i) {
    const std::uint32_t issuing = input_.issuing_row[i];
    if (input_.phases[issuing] != Phase::optimizer) {
      return;
    }
    const profile::Event& work = input_.timeline.events[i];
    rows_.optimizer_work.push_back({work.start_ns, work.end_ns()});
    if (work.category == Category::kernel && input_.begins_in_step(issuing)) {
      ++rows_.kernels;
      rows_.multi_tensor += is_multi_(work) ? 1 : 0;
    }
  }

  const TraceInput& input_;
  NamesThat is_step_, is_multi_;
  PhaseRows rows_;
};

void add_optimizer(const TraceInput& input,
                   const Intervals& host,
                   PhaseRows& rows,
                   std::vector<Metric>& metrics) {
  const Intervals alone = profile::subtract(host, input.partition.any_busy());
  const Intervals work = profile::unite(std::move(rows.optimizer_work));
  const Intervals steps = input.partition.steps.covered();
  const Intervals exposed = profile::intersect(profile::unite(alone, work), steps);
  const std::string no_work = why_no_device_work(input);
  const std::string no_kernels = why_no_kernels(input);
  const std::string no_operators = why_no_operators(input);
  metrics.push_back(share_of_steps(std::string(kOptimizer[0].id), length_ns(exposed), input));
  metrics.push_back(no_work.empty() ? share_of_steps(std::string(kOptimizer[1].id),
                                                     length_ns(profile::intersect(work, steps)),
                                                     input)
                                    : not_applicable(kOptimizer[1], no_work));
  metrics.push_back(no_kernels.empty()
                        ? over_steps(kOptimizer[2], per_step(rows.kernels, input), input)
                        : not_applicable(kOptimizer[2], no_kernels));
  for (const auto& [name, count] :
       {std::pair(kOptimizer[3], rows.operators), std::pair(kOptimizer[4], rows.multi_tensor)}) {
    metrics.push_back(no_operators.empty() ? over_steps(name, per_step(count, input), input)
                                           : not_applicable(name, no_operators));
  }
}

std::vector<Metric> nothing(const std::string& why) {
  std::vector<Metric> metrics;
  metrics.reserve(kPhaseNames.size() + kOptimizer.size());
  for (const PhaseName& phase : kPhaseNames) {
    metrics.push_back(not_applicable(phase.name, why));
  }
  for (const MetricName& name : kOptimizer) {
    metrics.push_back(not_applicable(name, why));
  }
  return metrics;
}

}  // namespace

std::vector<Metric> phase_metrics(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return nothing(why);
  }
  PhaseRows rows = Collection(input).rows();
  const Intervals steps = input.partition.steps.covered();
  rows.without_closures();
  std::vector<Metric> metrics, of_optimizer;
  metrics.reserve(kPhaseNames.size() + kOptimizer.size());
  for (const PhaseName& phase : kPhaseNames) {
    auto& intervals = rows.of(phase.phase);
    if (intervals.empty()) {
      metrics.push_back(not_applicable(phase.name, phase.lacks));
      continue;
    }
    const Intervals within = profile::intersect(profile::unite(std::move(intervals)), steps);
    metrics.push_back(share_of_steps(std::string(phase.name.id), length_ns(within), input));
    if (phase.phase == Phase::optimizer) {
      add_optimizer(input, within, rows, of_optimizer);
    }
  }
  if (of_optimizer.empty()) {
    of_optimizer = not_applicable(kOptimizer, kNoOptimizer);
  }
  metrics.insert(metrics.end(),
                 std::make_move_iterator(of_optimizer.begin()),
                 std::make_move_iterator(of_optimizer.end()));
  return metrics;
}

}  // namespace tune::metric
