#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <string>
#include <vector>

namespace tune::metric {

/// One operator, with the time that all its calls take themselves.
struct LargestOperator {
  std::string name;  ///< "aten::sort"; empty: none has a part of the steps
  std::int64_t ns = 0;
};

/// The operator that takes most of the steps, without those that training consists of: matrix
/// products, convolutions, attention and recurrent layers. On a device the time of the kernels that
/// it launched, else its own time on the host. Operators within an optimizer's step do not count,
/// nor do rows of the loader and of autograd. An operator that changes a layout (layout_ratios.h)
/// counts with all that it calls.
LargestOperator largest_operator(const TraceInput& input);

/// Shares of all steps; not applicable without operators:
///
///     largest_operator_ratio   the time of that operator
///     pointwise_ratio          likewise, of operators that read and write whole tensors for one
///                              operation on each element (add, mul, exp, copy_, ...), and of sums
///                              over them: what a compiler fuses
std::vector<Metric> operator_shares(const TraceInput& input);

}  // namespace tune::metric
