#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tune::metric {

/// What the numbers of a product are.
enum class NumberType : std::uint8_t { half, single };  ///< fp16 and bf16; fp32

/// What one call of a matrix product or a convolution has to do, whatever computes it.
struct ProductCost {
  double operations = 0;  ///< floating-point ones (trace/table/flop_count.h)
  double bytes = 0;       ///< of its inputs and its result, each moved once
  NumberType type = NumberType::single;

  double intensity() const { return operations / bytes; }
};

/// Whether operators of this name have a cost: aten::mm, addmm, bmm, baddbmm, conv2d.
bool has_product_cost(std::string_view name);

/// By "Input Dims", "Input type" and "Concrete Inputs" of the row, JSON without white space outside
/// of texts. Nothing where they do not say it, and for other types of numbers.
std::optional<ProductCost> product_cost(std::string_view name,
                                        std::string_view dims,
                                        std::string_view types,
                                        std::string_view concrete);

/// For matrix products and convolutions, by shape, those that are worth a look:
///
///     kernel_flops                count: operations of one call
///     kernel_bytes                B: inputs and result of one call, moved once
///     kernel_call_time            s: one call, in the mean: its kernels, or on the CPU the
///                                 operator
///     kernel_share_ratio          of the steps, all calls of this shape
///     peak_flop_rate              FLOP/s that the GPU has for these numbers (device_peaks.h)
///     peak_memory_rate            B/s of its memory
///     roofline_efficiency_ratio   operations ÷ time ÷ min(peak, operations ÷ bytes x memory): 1 is
///                                 at the bound, above it a number is wrong
///
/// It is the shape that loses most time against its bound, among those of 1 % of the steps or more;
/// where the peaks are not known, the one that takes longest. A call's kernels are those launched
/// within the innermost operator that has a cost (product_cost()): PyTorch has no formula for
/// convolutions backwards. Not applicable without recorded shapes. On the CPU, and on a GPU that is
/// not in the table, the peaks and what follows from them are not applicable.
std::vector<Metric> roofline(const TraceInput& input);

}  // namespace tune::metric
