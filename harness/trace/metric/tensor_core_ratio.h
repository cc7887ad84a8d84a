#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Over kernels within steps, streams added up, by the operator that launched them
/// (trace/metric/product_precision.h) and by the names of kernels (trace/tensor_core_kernels.txt):
///
///     tensor_core_ratio       of the time of operators that tensor cores can compute, the time of
///                             kernels that use them
///     tensor_core_time_ratio  of the time of all kernels, the time of those that use tensor cores
///     eligible_ratio          of the time of all kernels, that of operators that could use them;
///                             products of float64 are none of them, for no switch casts those
///     gemm_conv_ratio         time of matrix products and convolutions ÷ all steps
///     conv_ratio              time of convolutions ÷ all steps
///     half_time_ratio         of the time of kernels that use tensor cores or whose operators
///                             could, the time of those that multiply in 16 bits or fewer, where
///                             the types of the operator or the name of the kernel say so
///                             (trace/kernel_precisions.txt); TF32 is not of them
///     bf16_time_ratio         the same for bfloat16 alone
///
/// The definition of the TensorBoard plugin, with a list of names that grows with the devices. A
/// kernel whose name does not tell (Triton) counts as not using them. Not applicable: without
/// kernels, but that on the CPU alone gemm_conv_ratio and conv_ratio are the time in such operators
/// of any thread of the host and half_time_ratio and bf16_time_ratio are of their time; all but
/// tensor_core_time_ratio and these two when no kernel can be joined to an operator, or most of the
/// time is of kernels that one call launched together (CUDA graphs);
/// tensor_core_ratio when no eligible operator ran; the two also where nothing tells the precision
/// of at least half of the time.
std::vector<Metric> tensor_core_ratios(const TraceInput& input);

}  // namespace tune::metric
