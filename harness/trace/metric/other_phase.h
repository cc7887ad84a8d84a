#pragma once

#include "trace/intervals.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <string>
#include <vector>

namespace tune::metric {

/// `other_phase_ratio`: of all steps, the time in which no thread of the host trains: what logging,
/// saving and converting take. It trains
///
///     in a phase (trace/table/phase_table.h), bringing data to a device among them
///     where it issues work of a device other than copies to the host
///     in operators between the last backward row of a step and its optimizer: gradients are
///     clipped, scaled, summed up
///     between the last operator of forward and the first of backward: autograd starts
///     where it is blocked in a call of a device (blocked_times), and where another thread waits in
///     one for a device that works: the device sets the pace then
///
/// Rows of one kind that follow one another on a thread within a step are one stretch, with the
/// time between them, unless another operator is there. Less than 100 us between two stretches is
/// the interpreter's, and trains too; and so is less than 10 ms where not one in ten steps has a
/// longer one than 100 us: the kernel or Python's garbage collector took it. Gaps that follow no
/// pattern (irregular_gaps.h) are nobody's either.
///
/// Not applicable without marked steps, and where nothing marks forward, backward or optimizer.
Metric other_phase_ratio(const TraceInput& input);

/// `other_layer_ratio`: the part of that time in which layers of a network are computed: a second
/// forward pass, or a validation. Likewise, and not applicable where nothing marks the forward
/// pass.
Metric other_layer_ratio(const TraceInput& input);

/// `other_layer_device_ratio`: time of kernels of layers that no phase has issued ÷ all steps:
/// behind a device the host's time says nothing of a second forward pass. Likewise, and not
/// applicable without kernels.
Metric other_layer_device_ratio(const TraceInput& input);

/// `irregular_gap_ratio`: time without any row, ÷ all steps, that comes in some steps without a
/// pattern (irregular_gaps.h). Likewise.
Metric irregular_gap_ratio(const TraceInput& input);

/// A piece of that time.
struct OtherPart {
  profile::Interval interval;
  /// The operator or range that covers at least half of it, or the row that ended before it:
  /// "after Optimizer.step#SGD.step".
  std::string name;
};

/// The longest of them, the longest first; at most `most`.
std::vector<OtherPart> other_parts(const TraceInput& input, std::size_t most);

}  // namespace tune::metric
