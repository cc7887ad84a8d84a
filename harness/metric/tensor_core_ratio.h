#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Over kernels within steps, streams added up, by the operator that launched them
/// (metric/operator_kind.h) and by the names of kernels (profile/tensor_core_kernels.txt):
///
///     tensor_core_ratio       of the time of operators that tensor cores can compute, the time of
///                             kernels that use them
///     tensor_core_time_ratio  of the time of all kernels, the time of those that use tensor cores
///     eligible_ratio          of the time of all kernels, that of operators that could use them
///     gemm_conv_ratio         time of matrix products and convolutions ÷ all steps
///     conv_ratio              time of convolutions ÷ all steps
///
/// The definition of the TensorBoard plugin, with a list of names that grows with the devices. A
/// kernel whose name does not tell (Triton) counts as not using them. Not applicable: without
/// kernels, but that on the CPU alone the last two are the time in such operators of any thread of
/// the host; all but tensor_core_time_ratio when no kernel can be joined to an operator;
/// tensor_core_ratio when no eligible operator ran.
std::vector<Metric> tensor_core_ratios(const TraceInput& input);

}  // namespace tune::metric
