#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Tensors that grow by concatenation, `outputs = torch.cat([outputs, row])` in a loop: each call
/// copies all of it again, so that the time grows with the square of the rounds. Calls of aten::cat
/// one of whose ends has the sizes that an earlier one returned, from the tenth in a row on:
///
///     growing_cat_count   per step
///     growing_cat_ratio   their time ÷ all steps: of devices the time at which any was at work
///     that
///                         they issued; on the CPU alone that of the calls
///
/// Not applicable without aten::cat, or without the sizes of its tensors (record_shapes).
std::vector<Metric> growing_tensors(const TraceInput& input);

}  // namespace tune::metric
