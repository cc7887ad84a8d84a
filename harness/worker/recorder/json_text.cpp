#include "worker/recorder/json_text.h"

#include "base/assert.h"

#include <array>
#include <charconv>
#include <cstddef>

namespace tune::worker {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::uint8_t byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<std::uint8_t>(text[at]) : 0;
}

bool is_continuation(std::uint8_t byte) {
  return (byte & 0xC0U) == 0x80U;
}

// The length of the multi-byte character that begins at `at`; 0 when it is invalid: truncated,
// overlong, a surrogate, or beyond U+10FFFF (RFC 3629, section 4).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const std::uint8_t first = byte_at(text, at), second = byte_at(text, at + 1);
  const bool has_third = is_continuation(byte_at(text, at + 2));
  if (!is_continuation(second)) {
    return 0;
  }
  if (first >= 0xC2U && first <= 0xDFU) {
    return 2;
  }
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool is_short = first == 0xE0U && second < 0xA0U;
    const bool is_surrogate = first == 0xEDU && second > 0x9FU;
    return has_third && !is_short && !is_surrogate ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool is_short = first == 0xF0U && second < 0x90U;
    const bool is_beyond = first == 0xF4U && second > 0x8FU;
    const bool is_whole = has_third && is_continuation(byte_at(text, at + 3));
    return is_whole && !is_short && !is_beyond ? 4 : 0;
  }
  return 0;
}

void append_ascii(std::string& json, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<std::uint8_t>(c);
  if (c == '"' || c == '\\') {
    json += '\\';
    json += c;
  } else if (byte < 0x20U || byte == 0x7FU) {
    json += "\\u00";
    json += kHex[byte >> 4U];
    json += kHex[byte & 0xFU];
  } else {
    json += c;
  }
}

}  // namespace

void append_json(std::string& json, std::string_view text) {
  json += '"';
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<std::uint8_t>(text[i]) < 0x80U) {
      append_ascii(json, text[i++]);
      continue;
    }
    const std::size_t length = sequence_length(text, i);
    json += length == 0 ? kReplacement : text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  json += '"';
}

void append_us(std::string& json, std::int64_t ns) {
  TUNE_ASSERT(ns >= 0);
  constexpr std::int64_t kPerUs = 1000;
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), ns / kPerUs).ptr;
  json.append(digits.data(), end);
  const std::int64_t rest = ns % kPerUs;
  json += '.';
  json += static_cast<char>('0' + rest / 100);
  json += static_cast<char>('0' + rest / 10 % 10);
  json += static_cast<char>('0' + rest % 10);
}

}  // namespace tune::worker
