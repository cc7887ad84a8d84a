#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tune::metric {

/// What the numbers of a product are.
enum class NumberType : std::uint8_t { half, single };  ///< fp16 and bf16; fp32

/// What one call of a matrix product or a convolution has to do, whatever computes it.
struct ProductCost {
  double operations = 0;  ///< floating-point ones (table/flop_count.h)
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

}  // namespace tune::metric
