#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tune::table {

// What "Input Dims", "Input type" and "Concrete Inputs" of an operator hold: JSON lists without
// white space outside of texts.

/// The sizes of a tensor, or a list of whole numbers: at most eight.
struct Sizes {
  static constexpr std::size_t kMost = 8;
  std::array<std::int64_t, kMost> values{};
  std::size_t count = 0;

  std::int64_t last() const { return values[count - 1]; }  ///< needs one
  double elements() const;                                 ///< of a tensor of these sizes
};

/// The element of a list at an index: "[[1,2],[3]]", 1 -> "[3]"; a text with its quotes. Empty when
/// there is none.
std::string_view list_element(std::string_view list, std::size_t index);

/// All elements of a list, to look at one after another.
std::vector<std::string_view> list_elements(std::string_view list);

/// "[1, 2]"; nothing for anything but whole numbers, and for more than eight.
std::optional<Sizes> sizes_in(std::string_view list);

}  // namespace tune::table
