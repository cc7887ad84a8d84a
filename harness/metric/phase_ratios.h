#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// `forward_ratio`, `backward_ratio`, `optimizer_ratio`, `zero_grad_ratio`: time at which any
/// thread of the host is in the phase ÷ all steps; what belongs to a phase, see
/// table/phase_table.h. Phases of different threads may overlap, and on a device their work runs
/// later: this is where the host's time goes. Each is not applicable where nothing marks it.
///
/// `optimizer_kernel_count` per step: kernels that the optimizer launched. Not applicable without
/// kernels or without optimizer.
std::vector<Metric> phase_metrics(const TraceInput& input);

}  // namespace tune::metric
