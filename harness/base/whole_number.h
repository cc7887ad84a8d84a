#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace tune {

/// The whole text as a number of base ten; nothing for "", blanks, a "+", a rest, or one too large.
template <class Number = std::int64_t>
std::optional<Number> parse_whole(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// a + b, saturated at the largest number of that sign: for sums of numbers from files. Never the
/// least number of int64, which means "unknown" in a timeline.
constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    return b < 0 ? -kMost : kMost;
  }
  return std::max(sum, -kMost);
}

}  // namespace tune
