#pragma once

#include "metric/metric.h"
#include "metric/step_clock.h"
#include "profile/call_kinds.h"
#include "profile/critical_path.h"
#include "profile/launches.h"
#include "profile/partition.h"
#include "profile/runtime_split.h"
#include "profile/timeline.h"
#include "table/host_tree.h"
#include "table/phase_table.h"
#include "table/table_input.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tune::metric {

/// What the metrics of a trace are functions of: the timeline, and what several of them need, once.
struct TraceInput {
  const profile::Timeline& timeline;
  profile::Partition partition;
  profile::Launches launches;
  profile::CallKinds kind_of;  ///< by event, of calls into a device's library
  profile::RuntimeSplit runtime;
  profile::CriticalPath critical_path;  ///< from the begin of the first step to the end of the last
  table::HostTree tree;
  std::vector<std::uint32_t> issuing_row;  ///< by event, of device work (table::issuing_rows)
  std::vector<table::Phase> phases;        ///< by event, of rows of the host (table::find_phases)
  std::vector<std::uint32_t> previous;     ///< by event (previous_siblings)
  std::vector<std::uint32_t> step_of;      ///< by event: the step in which it begins, or kNone
  StepClock clock;
  /// Indices of events, in order: kernels, copies and fills; calls into a device's library.
  std::vector<std::uint32_t> device_work, calls;
  /// Kernels, and those whose call is not in the trace. What ran before the first kernel with a
  /// call was launched before the trace began, and is none of the latter.
  std::int64_t kernels = 0, kernels_without_call = 0;

  bool begins_in_step(std::uint32_t event) const { return step_of[event] != profile::kNone; }
};

TraceInput examine(const profile::Timeline& timeline);

/// The same for the tables, which refer to it: `input` must outlive them.
table::TableInput table_input(const TraceInput& input);

/// Why nothing can be said about steps; "" when there are any.
std::string why_no_steps(const TraceInput& input);

/// ns ÷ all steps, with the labels that every share of steps has. Needs a step.
Metric share_of_steps(std::string id, std::int64_t ns, const TraceInput& input);

/// One number of all steps together, with the same labels.
Metric over_steps(const MetricName& name, double value, const TraceInput& input);
/// The same for a family of metrics: one value a name, in the same order.
std::vector<Metric> over_steps(std::span<const MetricName> names,
                               const std::vector<double>& values,
                               const TraceInput& input);

/// sum ÷ number of steps. Needs a step.
double per_step(double sum, const TraceInput& input);

/// Adds no-step-marks, one-step and cut-by-memory where they hold.
void label_steps(Metric& metric, const TraceInput& input);

/// Adds inferred-waits to each where the critical path has such.
void label_inferred_waits(std::vector<Metric>& metrics, const TraceInput& input);

}  // namespace tune::metric
