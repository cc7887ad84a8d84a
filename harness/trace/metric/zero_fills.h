#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Gradients that zero_grad fills with zeros instead of dropping them: aten::zero_ and
/// aten::_foreach_zero_ in the phase zero_grad (trace/table/phase_table.h), one within another
/// once:
///
///     zero_fill_count   per step
///     zero_fill_ratio   time at which a device did what one issued, or the host was in one and no
///                       device worked, ÷ all steps: at most what dropping them gains
///
/// Not applicable where no row is called Optimizer.zero_grad#.
std::vector<Metric> zero_fills(const TraceInput& input);

}  // namespace tune::metric
