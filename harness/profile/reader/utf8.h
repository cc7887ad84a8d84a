#pragma once

#include <cstddef>
#include <string_view>

namespace tune::profile {

/// Bytes of the first character of `text` (1-4), or 0 when it does not begin with valid UTF-8
/// (RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF). `text` is not empty.
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xc2 && first <= 0xdf) {
    return continues(1) ? 2 : 0;
  }
  if (first >= 0xe0 && first <= 0xef) {
    const bool is_overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool is_surrogate = first == 0xed && byte(1) >= 0xa0;
    return !is_overlong && !is_surrogate && continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool is_overlong = first == 0xf0 && byte(1) < 0x90;
    const bool is_beyond = first == 0xf4 && byte(1) >= 0x90;
    return !is_overlong && !is_beyond && continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace tune::profile
