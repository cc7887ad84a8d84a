#include "metric/phase_ratios.h"

#include "metric/why_missing.h"
#include "table/phase_table.h"

#include <array>
#include <utility>

namespace tune::metric {

namespace {

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
constexpr MetricName kOptimizerKernels = {"optimizer_kernel_count", "count"};

struct PhaseRows {
  std::array<std::vector<profile::Interval>, table::kPhases> host;
  double optimizer_kernels = 0;

  std::vector<profile::Interval>& of(Phase phase) { return host[static_cast<std::size_t>(phase)]; }
};

PhaseRows collect(const TraceInput& input) {
  const std::vector<Phase> phases = table::find_phases(input.timeline, input.tree);
  PhaseRows rows;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (input.tree.is_row(i) && phases[i] != Phase::other) {
      rows.of(phases[i]).push_back({event.start_ns, event.end_ns()});
    } else if (event.category == profile::Category::kernel) {
      const std::uint32_t issuing = input.issuing_row[i];
      const bool is_optimizer = issuing != kNone && phases[issuing] == Phase::optimizer;
      rows.optimizer_kernels += is_optimizer && input.begins_in_step(issuing) ? 1 : 0;
    }
  }
  return rows;
}

Metric optimizer_kernel_count(const TraceInput& input, bool has_optimizer, double kernels) {
  if (const std::string why = why_no_kernels(input); !why.empty()) {
    return not_applicable(kOptimizerKernels, why);
  }
  return has_optimizer ? over_steps(kOptimizerKernels, per_step(kernels, input), input)
                       : not_applicable(kOptimizerKernels, "no row is called Optimizer.step#");
}

}  // namespace

std::vector<Metric> phase_metrics(const TraceInput& input) {
  std::vector<Metric> metrics;
  metrics.reserve(kPhaseNames.size() + 1);
  if (const std::string why = why_no_steps(input); !why.empty()) {
    for (const PhaseName& phase : kPhaseNames) {
      metrics.push_back(not_applicable(phase.name, why));
    }
    metrics.push_back(not_applicable(kOptimizerKernels, why));
    return metrics;
  }
  PhaseRows rows = collect(input);
  const bool has_optimizer = !rows.of(Phase::optimizer).empty();
  const profile::Intervals steps = input.partition.steps.covered();
  for (const PhaseName& phase : kPhaseNames) {
    auto& intervals = rows.of(phase.phase);
    if (intervals.empty()) {
      metrics.push_back(not_applicable(phase.name, phase.lacks));
      continue;
    }
    const profile::Intervals within =
        profile::intersect(profile::unite(std::move(intervals)), steps);
    metrics.push_back(share_of_steps(std::string(phase.name.id), length_ns(within), input));
  }
  metrics.push_back(optimizer_kernel_count(input, has_optimizer, rows.optimizer_kernels));
  return metrics;
}

}  // namespace tune::metric
