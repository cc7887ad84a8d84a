#include "base/printable.h"

#include <array>
#include <cstdio>

namespace tune {

namespace {

bool is_obeyed(char32_t code) {
  const bool is_control =
      (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7F && code <= 0x9F);
  const bool is_none = code == 0xFFFE || code == 0xFFFF;  // no characters, and not of XML
  const bool ends_line = code == 0x2028 || code == 0x2029;
  const bool turns_text = code == 0x061C || code == 0x200E || code == 0x200F ||
                          (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return is_control || is_none || ends_line || turns_text;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Character stray{.bytes = 1, .code = byte(0)};
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const bool begins_none = first >= 0x80 && (first < 0xC2 || first > 0xF4);
  if (begins_none || text.size() < length) {
    return stray;
  }
  char32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) {
      return stray;
    }
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || code > 0x10FFFF || is_surrogate) {
    return stray;
  }
  return {.bytes = length, .code = code, .is_whole = true, .is_shown = !is_obeyed(code)};
}

std::string printable(std::string_view text, std::string_view replacement) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    shown += character.is_shown ? text.substr(0, character.bytes) : replacement;
    text.remove_prefix(character.bytes);
  }
  return shown;
}

std::string escape_of(const Character& character) {
  std::array<char, 16> text{};
  std::snprintf(text.data(),
                text.size(),
                character.is_whole ? "\\u%04x" : "\\x%02x",
                static_cast<unsigned>(character.code));
  return text.data();
}

std::string escaped(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.is_shown) {
      shown += text.substr(0, character.bytes);
    } else {
      shown += escape_of(character);
    }
    text.remove_prefix(character.bytes);
  }
  return shown;
}

std::string within_a_line(std::string_view text) {
  std::string line;
  for (const char letter : escaped(text)) {
    if (letter == '\n' || letter == '\t') {
      line += letter == '\n' ? "\\n" : "\\t";
    } else {
      line += letter;
    }
  }
  return line;
}

}  // namespace tune
