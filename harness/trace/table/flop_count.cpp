#include "trace/table/flop_count.h"

#include "trace/table/input_lists.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace tune::table {

namespace {

std::string_view without(std::string_view text, char open, char close) {
  const bool is_enclosed = text.size() >= 2 && text.front() == open && text.back() == close;
  return is_enclosed ? text.substr(1, text.size() - 2) : std::string_view{};
}

std::optional<std::int64_t> product(const Sizes& sizes) {
  std::int64_t result = 1;
  for (std::size_t i = 0; i < sizes.count; ++i) {
    if (__builtin_mul_overflow(result, sizes.values[i], &result)) {
      return std::nullopt;
    }
  }
  return result;
}

// 2·B·M·K·N of the inputs `first` and the next; without B where `rank` is 2.
std::optional<std::int64_t> matrix_product(std::string_view dims,
                                           std::size_t first,
                                           std::size_t rank) {
  const auto left = sizes_in(list_element(dims, first)),
             right = sizes_in(list_element(dims, first + 1));
  if (!left || !right || left->count != rank || right->count != rank || left->last() == 0) {
    return std::nullopt;
  }
  Sizes all = *left;  // B, M, K; then N
  all.values[all.count++] = right->last();
  all.values[all.count++] = 2;
  return product(all);
}

// The list at an index of "Concrete Inputs", written as a text: "[1, 1]".
std::optional<Sizes> concrete_pair(std::string_view concrete, std::size_t index) {
  const auto list = sizes_in(without(list_element(concrete, index), '"', '"'));
  return list && list->count == 2 ? list : std::nullopt;
}

// True when every number is one that a convolution can have: what is computed of them fits int64.
bool are_possible(const Sizes& sizes) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  return std::all_of(sizes.values.begin(), sizes.values.end(), [](std::int64_t value) {
    return value >= -kMost && value <= kMost;
  });
}

std::optional<std::int64_t> convolution(std::string_view dims, std::string_view concrete) {
  constexpr std::size_t kStride = 3, kPadding = 4, kDilation = 5, kGroups = 6;
  const auto input = sizes_in(list_element(dims, 0)), weight = sizes_in(list_element(dims, 1));
  const auto stride = concrete_pair(concrete, kStride), padding = concrete_pair(concrete, kPadding);
  const auto dilation = concrete_pair(concrete, kDilation);
  const std::string_view groups_text = without(list_element(concrete, kGroups), '"', '"');
  std::int64_t groups = 0;
  std::from_chars(groups_text.data(), groups_text.data() + groups_text.size(), groups);
  if (!input || !weight || !stride || !padding || !dilation || input->count != 4 ||
      weight->count != 4 || stride->values[0] <= 0 || stride->values[1] <= 0 || groups <= 0 ||
      !are_possible(*input) || !are_possible(*weight) || !are_possible(*padding) ||
      !are_possible(*dilation)) {
    return std::nullopt;
  }
  Sizes factors{.values = {2, input->values[0], weight->values[0], input->values[1]}, .count = 4};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t kernel = weight->values[2 + axis];
    const std::int64_t extent = input->values[2 + axis] + 2 * padding->values[axis] -
                                dilation->values[axis] * (kernel - 1) - 1;
    factors.values[factors.count++] = kernel;
    factors.values[factors.count++] = extent / stride->values[axis] + 1;
  }
  const auto dense = product(factors);
  return dense ? std::optional(*dense / groups) : std::nullopt;
}

enum class Attention { none, forward, backward };

// By the name of the operator that computes it.
Attention fused_attention(std::string_view op) {
  constexpr std::string_view kBegin = "aten::_scaled_dot_product_", kBackward = "_backward";
  constexpr std::array<std::string_view, 4> kBackEnds = {
      "flash_attention", "flash_attention_for_cpu", "efficient_attention", "cudnn_attention"};
  if (!op.starts_with(kBegin)) {
    return Attention::none;
  }
  op.remove_prefix(kBegin.size());
  const bool is_backward = op.ends_with(kBackward);
  if (is_backward) {
    op.remove_suffix(kBackward.size());
  }
  const bool is_known = std::find(kBackEnds.begin(), kBackEnds.end(), op) != kBackEnds.end();
  return !is_known ? Attention::none : is_backward ? Attention::backward : Attention::forward;
}

// Query [B, H, Sq, D], key [B, H, Sk, D], value [B, H, Sk, Dv]; backward the gradient stands
// before.
std::optional<std::int64_t> attention(std::string_view dims, Attention way) {
  const std::size_t first = way == Attention::backward ? 1 : 0;
  const auto query = sizes_in(list_element(dims, first));
  const auto key = sizes_in(list_element(dims, first + 1));
  const auto value = sizes_in(list_element(dims, first + 2));
  if (!query || !key || !value || query->count != 4 || key->count != 4 || value->count != 4 ||
      !are_possible(*query) || !are_possible(*key) || !are_possible(*value)) {
    return std::nullopt;
  }
  const std::int64_t depths = way == Attention::backward ? 3 * query->last() + 2 * value->last()
                                                         : query->last() + value->last();
  return product(
      {.values = {2, query->values[0], query->values[1], query->values[2], key->values[2], depths},
       .count = 6});
}

std::optional<std::int64_t> layer_norm(std::string_view dims) {
  constexpr std::size_t kWeight = 2;
  auto sizes = sizes_in(list_element(dims, 0));
  if (!sizes || sizes->count == 0 || sizes->count == Sizes::kMost) {
    return std::nullopt;
  }
  const auto weight = sizes_in(list_element(dims, kWeight));
  sizes->values[sizes->count++] = weight && weight->count > 0 ? 5 : 4;
  return product(*sizes);
}

}  // namespace

bool has_flop_formula(std::string_view op) {
  return op == "aten::mm" || op == "aten::addmm" || op == "aten::bmm" || op == "aten::baddbmm" ||
         op == "aten::conv2d" || op == "aten::mul" || op == "aten::add" ||
         op == "aten::native_layer_norm" || op == "aten::embedding" ||
         fused_attention(op) != Attention::none;
}

std::optional<std::int64_t> flop_count(std::string_view op,
                                       std::string_view dims,
                                       std::string_view concrete) {
  if (op == "aten::conv2d") {
    return convolution(dims, concrete);
  }
  if (op == "aten::mm" || op == "aten::addmm") {
    return matrix_product(dims, op == "aten::mm" ? 0 : 1, 2);
  }
  if (op == "aten::bmm" || op == "aten::baddbmm") {
    return matrix_product(dims, op == "aten::bmm" ? 0 : 1, 3);
  }
  if (op == "aten::mul" || op == "aten::add") {
    const auto first = sizes_in(list_element(dims, 0));
    return first ? product(*first) : std::nullopt;
  }
  if (op == "aten::native_layer_norm") {
    return layer_norm(dims);
  }
  if (op == "aten::embedding") {
    return sizes_in(list_element(dims, 1)) ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  if (const Attention way = fused_attention(op); way != Attention::none) {
    return attention(dims, way);
  }
  return std::nullopt;
}

}  // namespace tune::table
