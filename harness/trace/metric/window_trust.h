#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Whether the recorded window shows the training at work:
///
///     startup_ratio          time in calls that happen once, and during which no device works ÷
///                            all steps: the first call into a library, first launches of a kernel,
///                            modules that are loaded, graphs that are compiled. Not calls that are
///                            as slow in the second half of the window. A first step that takes more
///                            than ten times as long as the median of at least two others
///                            (gpuprof's limit) is start-up by what it takes longer
///     recompile_ratio        time in which torch.compile compiles ÷ all steps, where it does so again
///                            and again: in two steps or more, one of them in the second half of the
///                            window. Else 0, for then it is start-up
///     graph_capture_count    graphs of a device's library that were made in all steps; what is
///                            captured does not run
///     unrecorded_wait_ratio  time in calls of at least 1 ms that wait for a device while the trace
///                            has no work of any ÷ all steps
///     recorded_row_count     per step: operators, calls and work of devices
///     device_idle_ratio      time at which no device works ÷ all steps; where no step is marked, ÷
///                            the time from the first work to the last, for the window ends anywhere
///     python_frame_count     per step: rows of Python's functions (with_stack), kept or not
///
/// Not applicable: graph_capture_count and unrecorded_wait_ratio without calls into a device's
/// library; unrecorded_wait_ratio and device_idle_ratio without work of a device.
std::vector<Metric> window_trust(const TraceInput& input);

}  // namespace tune::metric
