#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `occupancy`, 0-1: Kineto's estimate of each kernel's occupancy, weighted by its time within
/// steps, as in the TensorBoard plugin. Weak evidence: kernels for tensor cores run well at a low
/// one. Kernels without an estimate are left out; not applicable when none has one.
Metric occupancy(const TraceInput& input);

}  // namespace tune::metric
