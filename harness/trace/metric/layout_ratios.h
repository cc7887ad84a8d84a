#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <string_view>

namespace tune::metric {

/// True for the name of a kernel that only changes the layout of a tensor: nchwToNhwc, nhwcToNchw
/// and batched_transpose, in any case.
bool is_layout_kernel(std::string_view name);

/// True for the name of an operator that changes the layout of a tensor: aten::contiguous,
/// aten::to_mkldnn, aten::to_dense, aten::mkldnn_reorder_... A tensor that is contiguous already
/// has no such row.
bool is_layout_operator(std::string_view name);

/// `layout_kernel_ratio`: of the time of all kernels within steps, streams added up, that of
/// kernels that only change the layout of a tensor. Not applicable without kernels.
Metric layout_kernel_ratio(const TraceInput& input);

/// `layout_op_ratio`: time at which any thread of the host is in an operator that changes a layout
/// ÷ all steps, without what an optimizer's step calls (fused ones copy gradients of another
/// layout): what a trace of the CPU alone shows of it. Not applicable without operators.
Metric layout_op_ratio(const TraceInput& input);

}  // namespace tune::metric
