#include "metric/product_cost.h"

#include "table/flop_count.h"
#include "table/input_lists.h"

#include <algorithm>
#include <array>

namespace tune::metric {

namespace {

using table::list_element;

struct Product {
  std::string_view name;
  std::size_t first;  // input of the two that are multiplied
};
constexpr std::array<Product, 5> kProducts = {{{"aten::mm", 0},
                                               {"aten::addmm", 1},
                                               {"aten::bmm", 0},
                                               {"aten::baddbmm", 1},
                                               {"aten::conv2d", 0}}};

const Product* find(std::string_view name) {
  const auto found = std::find_if(
      kProducts.begin(), kProducts.end(), [&](const Product& each) { return each.name == name; });
  return found == kProducts.end() ? nullptr : &*found;
}

std::optional<NumberType> type_of(std::string_view type) {
  if (type == R"("float")") {
    return NumberType::single;
  }
  if (type == R"("c10::Half")" || type == R"("c10::BFloat16")") {
    return NumberType::half;
  }
  return std::nullopt;
}

double elements(const table::Sizes& sizes) {
  double product = 1;
  for (std::size_t i = 0; i < sizes.count; ++i) {
    product *= static_cast<double>(sizes.values[i]);
  }
  return product;
}

// Of the result each element is the sum of so many products.
double summed(std::string_view name, const table::Sizes& left, const table::Sizes& right) {
  return name == "aten::conv2d"
             ? elements(right) / static_cast<double>(std::max<std::int64_t>(right.values[0], 1))
             : static_cast<double>(left.last());
}

}  // namespace

bool has_product_cost(std::string_view name) {
  return find(name) != nullptr;
}

std::optional<ProductCost> product_cost(std::string_view name,
                                        std::string_view dims,
                                        std::string_view types,
                                        std::string_view concrete) {
  const Product* const product = find(name);
  const auto flops = product == nullptr ? std::nullopt : table::flop_count(name, dims, concrete);
  if (!flops || *flops <= 0) {
    return std::nullopt;
  }
  const std::size_t first = product->first;
  const auto left = table::sizes_in(list_element(dims, first));
  const auto right = table::sizes_in(list_element(dims, first + 1));
  const auto type = type_of(list_element(types, first));
  if (!left || !right || left->count == 0 || right->count == 0 || !type ||
      type_of(list_element(types, first + 1)) != type) {
    return std::nullopt;
  }
  const double element_bytes = *type == NumberType::half ? 2 : 4;
  const auto operations = static_cast<double>(*flops);
  const double result = operations / 2 / summed(name, *left, *right);
  return ProductCost{.operations = operations,
                     .bytes = (elements(*left) + elements(*right) + result) * element_bytes,
                     .type = *type};
}

}  // namespace tune::metric
