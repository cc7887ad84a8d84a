#include "report/embedded_data.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace tune::report {

namespace {

constexpr const char* kBegin = "<script type=\"application/json\" id=\"tune-result\">";
constexpr const char* kEnd = "</script>\n";

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// One character of UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint32_t>(text[i]) & 0xFFU : 0U;
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) {
    return {first, 1};
  }
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t code = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    code = code << 6U | (byte(i) & 0x3FU);
  }
  return {code, bytes};
}

// Markup, the two line ends of Unicode that old readers of JavaScript stumble over, and what is no
// character of XML. Of JSON they can only stand within texts.
bool must_be_escaped(std::uint32_t code) {
  const bool is_markup = code == '<' || code == '>' || code == '&';
  return is_markup || code == 0x2028 || code == 0x2029 || (code >= 0x7F && code <= 0x9F) ||
         code == 0xFFFE || code == 0xFFFF;
}

std::string escaped(std::uint32_t code) {
  std::array<char, 8> text{};
  (void)std::snprintf(text.data(), text.size(), "\\u%04x", static_cast<unsigned>(code));
  return text.data();
}

std::string compact(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  bool is_within_text = false;
  while (!json.empty()) {
    const Character next = first_of(json);
    std::size_t taken = next.bytes;
    if (must_be_escaped(next.code)) {
      text += escaped(next.code);
    } else if (is_within_text || !is_space(json.front())) {
      taken = is_within_text && json.front() == '\\' ? 2 : taken;  // with what it escapes
      text += json.substr(0, taken);
      is_within_text = is_within_text != (json.front() == '"');
    }
    json.remove_prefix(std::min(taken, json.size()));
  }
  return text;
}

}  // namespace

std::string data_block(std::string_view json) {
  const std::string text = compact(json);
  return text.empty() || text.size() > kMostDataBytes ? "" : kBegin + text + kEnd;
}

}  // namespace tune::report
