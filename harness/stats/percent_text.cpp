#include "stats/percent_text.h"

#include <array>
#include <charconv>

namespace tune::stats {

std::string percent_text(double ratio) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  const auto end = std::to_chars(
      text.data(), text.data() + text.size(), ratio * 100, std::chars_format::fixed, 1);
  return std::string(text.data(), end.ptr) + " %";
}

}  // namespace tune::stats
