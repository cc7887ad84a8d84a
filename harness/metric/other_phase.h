#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `other_phase_ratio`: of all steps, the time in which no thread of the host is in a phase of
/// training (table/phase_table.h): what logging, saving and converting between them take. Rows of
/// one phase that follow one another on a thread within a step are one stretch: what lies between
/// them belongs to the phase, unless an operator without a phase does. Waiting in a call for a
/// device that works does not count: the device sets the pace then.
///
/// Not applicable without marked steps, and where nothing marks forward, backward or optimizer.
Metric other_phase_ratio(const TraceInput& input);

}  // namespace tune::metric
