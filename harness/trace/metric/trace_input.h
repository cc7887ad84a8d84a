#pragma once

#include "trace/critical_path.h"
#include "trace/event.h"
#include "trace/intervals.h"
#include "trace/launches.h"
#include "trace/metric/metric.h"
#include "trace/partition.h"
#include "trace/runtime_calls.h"
#include "trace/table/host_tree.h"
#include "trace/table/phase_table.h"
#include "trace/table/table_input.h"
#include "trace/timeline.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tune::metric {

/// A clock that runs only within steps: what is measured with it is clipped to the steps.
class StepClock {
 public:
  StepClock() = default;
  explicit StepClock(profile::Intervals steps);

  /// ns of steps before the time.
  std::int64_t at(std::int64_t time_ns) const;
  /// Whether it runs at that time.
  bool runs_at(std::int64_t time_ns) const;
  /// ns of the event that lie within steps.
  std::int64_t within(const profile::Event& event) const {
    return at(event.end_ns()) - at(event.start_ns);
  }

 private:
  /// Index of the last step that begins at the time or before, + 1; 0 when there is none.
  std::size_t begun_at(std::int64_t time_ns) const;

  profile::Intervals steps_;
  std::vector<std::int64_t> before_ns_;  ///< by step: ns of the steps before it
  /// The last answer of begun_at(): rows are asked for by time. Not for several threads at once.
  mutable std::size_t begun_ = 0;
};

/// What the metrics of a trace are functions of: the timeline, and what several of them need, once.
struct TraceInput {
  const profile::Timeline& timeline;
  profile::Partition partition;
  profile::Launches launches;
  profile::CallKinds kind_of;  ///< by event, of calls into a device's library
  profile::RuntimeSplit runtime;
  profile::CriticalPath critical_path;  ///< from the start of the first step to the end of the last
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

/// Time within steps of these rows (by event) with all that they call: of devices the time at which
/// any was at work that they issued; on the CPU alone that of the rows.
std::int64_t time_issued_ns(const TraceInput& input, const std::vector<bool>& rows);

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

// Why a trace says nothing about something; "" when it does. Without a step all of them say so.

/// Kernels, of communication or not.
std::string why_no_kernels(const TraceInput& input);
/// Kernels, copies and fills.
std::string why_no_device_work(const TraceInput& input);
/// Kernels that can be joined to the calls that launched them: at least four of five. Of fewer
/// nobody can say what a device waited for.
std::string why_no_launches(const TraceInput& input);
/// Kernels whose call is not in the trace (TraceInput) ÷ all kernels. Needs a kernel.
double uncorrelated_ratio(const TraceInput& input);
/// A path through the steps that takes time.
std::string why_no_critical_path(const TraceInput& input);
/// Calls of the host into a device's library.
std::string why_no_calls(const TraceInput& input);
/// Operators: the rows that PyTorch itself writes for the host.
std::string why_no_operators(const TraceInput& input);
/// Kernels of NCCL and its like.
std::string why_no_communication(const TraceInput& input);
/// Rows of PyTorch's DataLoader.
std::string why_no_loader(const TraceInput& input);
/// Steps that the host marked.
std::string why_no_marked_steps(const TraceInput& input);
/// At least two of them: one step tells nothing about spread or growth.
std::string why_not_several_steps(const TraceInput& input);

}  // namespace tune::metric
