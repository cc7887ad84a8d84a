#include "scenario/text_bytes.h"

#include <array>
#include <cstdio>

namespace tune::scenario {

namespace {

constexpr std::size_t kTextLimit = 1 << 20;

// Bytes of the UTF-8 sequence that begins here, 0 when there is none.
std::size_t sequence_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80U) {
      return 0;
    }
  }
  return length;
}

bool is_allowed_control(char c) {
  return c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

std::string check_bytes(const std::string& text, Complaints& complaints) {
  if (text.size() > kTextLimit) {
    complaints.add({1, 1}, "the file is too large", "at most 1 MiB");
    complaints.throw_if_any();
  }
  const bool marked = text.starts_with("\xef\xbb\xbf");
  Mark mark;
  std::size_t line_begin = 0;
  for (std::size_t at = marked ? 3 : 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool control = byte == 0x7f || (byte < 0x20 && !is_allowed_control(text[at]));
    if (length == 0 || control) {
      mark.column = static_cast<std::int64_t>(at - line_begin) + 1;
      std::array<char, 8> hex{};
      std::snprintf(hex.data(), hex.size(), "0x%02x", static_cast<unsigned>(byte));
      complaints.add(
          mark,
          std::string("byte ") + hex.data() + " is no text",
          length == 0 ? std::string(complaints.kind().many) + " are UTF-8" : "a control character");
      complaints.throw_if_any();
    }
    if (text[at] == '\n') {
      ++mark.line;
      line_begin = at + 1;
    }
    at += length;
  }
  return marked ? text.substr(3) : text;
}

}  // namespace tune::scenario
