#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Tensors and arrays whose numbers become objects of Python, with_stack recorded:
///
///     list_conversion_count   per step: calls of tolist()
///     list_conversion_ratio   time of these calls ÷ all steps. About 10 ns a number, where one
///                             round of a loop of Python takes 50 to 100 (measured by us)
///
/// Not applicable without Python frames.
std::vector<Metric> list_conversions(const TraceInput& input);

}  // namespace tune::metric
