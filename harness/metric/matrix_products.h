#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Matrix products that miss the fast units, over kernels within steps, streams added up; which
/// operator a kernel is of, its call says:
///
///     misaligned_gemm_ratio   of the time of all kernels: of kernels called ..align1.. or
///                             ..align2.., and of half or bfloat16 products of which one of the
///                             last two sizes of an input is no multiple of 8 (PyTorch's
///                             profiler), unless the kernel says align8
///     fp32_gemm_ratio         ÷ all steps: of kernels that multiply in float32 without tensor
///                             cores: called ..sgemm.., or of a product whose inputs are all
///                             float; by name none for tensor cores, which TF32 would use
///
/// Not applicable: without kernels; where products ran, no name tells, and their Input Dims and
/// types were not recorded.
std::vector<Metric> matrix_product_ratios(const TraceInput& input);

}  // namespace tune::metric
