#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace tune::cli {

/// With spaces behind it up to `width` bytes, one at least: a cell of a column of ASCII.
inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

}  // namespace tune::cli
