#include "table/flop_count.h"

#include <array>
#include <charconv>
#include <cstddef>

namespace tune::table {

namespace {

constexpr std::size_t kMostDims = 8;

// The sizes of a tensor, or a list of whole numbers.
struct Sizes {
  std::array<std::int64_t, kMostDims> values{};
  std::size_t count = 0;

  std::int64_t last() const { return values[count - 1]; }
};

// The element of a JSON array at an index: "[[1,2],[3]]", 1 -> "[3]". Empty when there is none.
std::string_view element(std::string_view array, std::size_t index) {
  int depth = 0;
  bool is_quoted = false;
  std::size_t begin = 1, at = 0;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const char c = array[i];
    if (is_quoted) {
      i += c == '\\' ? 1 : 0;
      is_quoted = c != '"';
      continue;
    }
    is_quoted = c == '"';
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if ((c == ',' && depth == 1) || (c == ']' && depth == 0)) {
      if (at == index) {
        return array.substr(begin, i - begin);
      }
      ++at;
      begin = i + 1;
    }
  }
  return {};
}

std::string_view without(std::string_view text, char open, char close) {
  const bool is_enclosed = text.size() >= 2 && text.front() == open && text.back() == close;
  return is_enclosed ? text.substr(1, text.size() - 2) : std::string_view{};
}

// "[1, 2]"; nothing for anything but whole numbers.
std::optional<Sizes> sizes(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return std::nullopt;
  }
  Sizes sizes;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at != end) {
    at += *at == ' ' || *at == ',' ? 1 : 0;
    if (at == end || *at == ' ') {
      continue;
    }
    if (sizes.count == kMostDims) {
      return std::nullopt;
    }
    const auto [stopped, error] = std::from_chars(at, end, sizes.values[sizes.count++]);
    if (error != std::errc() || (stopped != end && *stopped != ',')) {
      return std::nullopt;
    }
    at = stopped;
  }
  return sizes;
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
  const auto left = sizes(element(dims, first)), right = sizes(element(dims, first + 1));
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
  const auto list = sizes(without(element(concrete, index), '"', '"'));
  return list && list->count == 2 ? list : std::nullopt;
}

std::optional<std::int64_t> convolution(std::string_view dims, std::string_view concrete) {
  constexpr std::size_t kStride = 3, kPadding = 4, kDilation = 5, kGroups = 6;
  const auto input = sizes(element(dims, 0)), weight = sizes(element(dims, 1));
  const auto stride = concrete_pair(concrete, kStride), padding = concrete_pair(concrete, kPadding);
  const auto dilation = concrete_pair(concrete, kDilation);
  const std::string_view groups_text = without(element(concrete, kGroups), '"', '"');
  std::int64_t groups = 0;
  std::from_chars(groups_text.data(), groups_text.data() + groups_text.size(), groups);
  if (!input || !weight || !stride || !padding || !dilation || input->count != 4 ||
      weight->count != 4 || stride->values[0] <= 0 || stride->values[1] <= 0 || groups <= 0) {
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

}  // namespace

bool has_flop_formula(std::string_view op) {
  return op == "aten::mm" || op == "aten::addmm" || op == "aten::bmm" || op == "aten::baddbmm" ||
         op == "aten::conv2d" || op == "aten::mul" || op == "aten::add";
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
    const auto first = sizes(element(dims, 0));
    return first ? product(*first) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace tune::table
