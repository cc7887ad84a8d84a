#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tune::table {

/// True for operators that PyTorch counts floating-point operations of.
bool has_flop_formula(std::string_view op);

/// Floating-point operations of one call, by the formulas that torch.profiler uses under with_flops
/// (torch/csrc/profiler/util.cpp, computeFlops):
///
///     aten::mm, aten::addmm        2·M·K·N     (addmm: alpha and beta taken as 1)
///     aten::bmm, aten::baddbmm     2·B·M·K·N
///     aten::conv2d                 2·B·Ho·Wo·Kh·Kw·Cin·Cout ÷ groups,
///                                  Ho = (H + 2·padding − dilation·(Kh − 1) − 1) ÷ stride + 1
///     aten::mul, aten::add         elements of the first input
///
/// `dims` and `concrete` are the row's "Input Dims" and "Concrete Inputs" as JSON without white
/// space outside of texts. Nothing when they do not say what the formula needs: not recorded,
/// another rank, padding by name, more than int64.
std::optional<std::int64_t> flop_count(std::string_view op,
                                       std::string_view dims,
                                       std::string_view concrete);

}  // namespace tune::table
