#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tune::table {

/// True for operators whose floating-point operations are counted.
bool has_flop_formula(std::string_view op);

/// Floating-point operations of one call, by the formulas that torch.profiler uses under with_flops
/// (torch/csrc/profiler/util.cpp, computeFlops):
///
///     aten::mm, aten::addmm        2·M·K·N     (addmm: alpha and beta taken as 1)
///     aten::bmm, aten::baddbmm     2·B·M·K·N   (aten::matmul and aten::linear call one of these)
///     aten::conv2d                 2·B·Ho·Wo·Kh·Kw·Cin·Cout ÷ groups,
///                                  Ho = (H + 2·padding − dilation·(Kh − 1) − 1) ÷ stride + 1
///     aten::mul, aten::add         elements of the first input
///
/// and, where it has none, of others:
///
///     aten::_scaled_dot_product_*  2·B·H·Sq·Sk·(D + Dv); ..._backward 2·B·H·Sq·Sk·(3·D + 2·Dv),
///                                  for the scores are computed again (torch/utils/flop_counter.py;
///                                  a causal mask halves nothing). Of the back ends flash (also
///                                  _for_cpu), efficient and cudnn; `math` calls aten::matmul
///     aten::native_layer_norm      elements of the input × 5, × 4 without weight (fvcore's
///                                  norm_flop_counter, "just a rough estimate")
///     aten::embedding              0: rows are copied
///
/// `dims` and `concrete` are the row's "Input Dims" and "Concrete Inputs" as JSON without white
/// space outside of texts. Nothing when they do not say what the formula needs: not recorded,
/// another rank, padding by name, more than int64.
std::optional<std::int64_t> flop_count(std::string_view op,
                                       std::string_view dims,
                                       std::string_view concrete);

}  // namespace tune::table
