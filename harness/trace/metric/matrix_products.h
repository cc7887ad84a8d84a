#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::metric {

/// Matrix products that miss the fast units, over kernels within steps, streams added up; which
/// operator a kernel is of, its call says:
///
///     misaligned_gemm_ratio   of the time of all kernels: of kernels for tensor cores called
///                             ..align1.. or ..align2.., and of half or bfloat16 products M x K
///                             times K x N where K or N is not a multiple of 8 (PyTorch's profiler
///                             looks at M too, the number of rows, which decides no alignment),
///                             unless the kernel says align8, ldg8 or nvjet
///     fp32_gemm_ratio         ÷ all steps: of kernels that multiply in float32 without tensor
///                             cores: called ..sgemm.., or of a product whose inputs are all
///                             float, or whose name says so; by name none for tensor cores, which
///                             TF32 would use. Convolutions are not products, and what copies a
///                             bias or sums up parts does not multiply
///
/// Not applicable: without kernels; where products ran, no name tells, and their Input Dims and
/// types were not recorded.
std::vector<Metric> matrix_product_ratios(const TraceInput& input);

/// The kernels that either counts, in order.
std::vector<std::uint32_t> misaligned_kernels(const TraceInput& input);
std::vector<std::uint32_t> fp32_kernels(const TraceInput& input);

/// Whether a product of float32 ran on tensor cores: TF32 is allowed then. Convolutions have a
/// switch of their own.
bool has_tf32_products(const TraceInput& input);

/// "[64,1001] x [1001,64]": the matrices of the operator that launched the kernel; "" where its
/// Input Dims were not recorded.
std::string product_shapes(const TraceInput& input, std::uint32_t kernel);

}  // namespace tune::metric
