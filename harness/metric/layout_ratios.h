#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `layout_kernel_ratio`: of the time of all kernels within steps, streams added up, that of
/// kernels that only change the layout of a tensor: nchwToNhwc, nhwcToNchw and batched_transpose in
/// the name, in any case. Not applicable without kernels.
Metric layout_kernel_ratio(const TraceInput& input);

/// `layout_op_ratio`: time at which any thread of the host is in an operator that changes a layout
/// (aten::contiguous, aten::to_mkldnn, aten::to_dense, aten::mkldnn_reorder_...) ÷ all steps: what
/// a trace of the CPU alone shows of it. Not applicable without operators.
Metric layout_op_ratio(const TraceInput& input);

}  // namespace tune::metric
