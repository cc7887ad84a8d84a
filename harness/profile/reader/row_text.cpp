#include "profile/reader/row.h"

#include <charconv>
#include <optional>

namespace tune::profile {

namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

// The four digits of \uXXXX at `at`, which is behind the u.
std::optional<std::uint32_t> code_unit(std::string_view text, std::size_t at) {
  constexpr std::size_t kDigits = 4;
  if (text.size() < at + kDigits) {
    return std::nullopt;
  }
  std::uint32_t unit = 0;
  const char* const end = text.data() + at + kDigits;
  const auto [stopped, error] = std::from_chars(text.data() + at, end, unit, 16);
  return error == std::errc() && stopped == end ? std::optional(unit) : std::nullopt;
}

// Appends the character whose escape is \u at `at`; returns where the text goes on.
std::size_t append_code_point(std::string_view text, std::size_t at, std::string& out) {
  const auto first = code_unit(text, at + 2);
  if (!first) {
    append_utf8(kReplacement, out);
    return at + 2;
  }
  at += 6;
  if (*first >= 0xd800 && *first <= 0xdbff && text.substr(at, 2) == "\\u") {
    const auto second = code_unit(text, at + 2);
    if (second && *second >= 0xdc00 && *second <= 0xdfff) {
      append_utf8(0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00), out);
      return at + 6;
    }
  }
  append_utf8(*first >= 0xd800 && *first <= 0xdfff ? kReplacement : *first, out);
  return at;
}

char meaning_of(char escaped) {
  switch (escaped) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return escaped;  // \" \\ \/
  }
}

}  // namespace

std::string_view unescaped(std::string_view text, std::string& buffer) {
  if (text.find('\\') == std::string_view::npos) {
    return text;
  }
  buffer.clear();
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      buffer += text[at++];
    } else if (text[at + 1] == 'u') {
      at = append_code_point(text, at, buffer);
    } else {
      buffer += meaning_of(text[at + 1]);
      at += 2;
    }
  }
  return buffer;
}

std::string_view compact(std::string_view json, std::string& buffer) {
  if (buffer.size() < json.size()) {
    buffer.resize(json.size());
  }
  char* const begin = buffer.data();
  char* end = begin;
  bool in_text = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_text && c == '\\' && at + 1 < json.size()) {
      *end++ = c;
      *end++ = json[++at];
      continue;
    }
    in_text = in_text != (c == '"');
    *end = c;  // kept when the end moves
    end += in_text || (c != ' ' && c != '\n' && c != '\r' && c != '\t') ? 1 : 0;
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace tune::profile
