#include "report/markdown.h"

#include "report/markup.h"

#include <cctype>

namespace tune::report {

std::string escape_markdown(std::string_view text) {
  const std::string clean = one_line(text);
  const auto is_word = [&](std::size_t i) {
    return i < clean.size() && std::isalnum(static_cast<unsigned char>(clean[i])) != 0;
  };
  std::string escaped;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    if (c == '<' || c == '>' || c == '&') {
      escaped += escape_markup({&c, 1});
      continue;
    }
    // Within a word an underscore does not format, and knob names are full of them.
    const bool is_plain_underscore = c == '_' && is_word(i + 1) && i > 0 && is_word(i - 1);
    if (!is_plain_underscore && std::string_view("\\`*_[]|#~").find(c) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += c;
    escaped += c == '@' ? "\xE2\x80\x8B" : "";  // zero-width space: "@name" would call somebody
  }
  return escaped;
}

std::string escape_summary(std::string_view text) {
  std::string escaped;
  for (const char c : escape_markup(one_line(text))) {
    escaped += c;
    escaped += c == '@' ? "\xE2\x80\x8B" : "";
  }
  return escaped;
}

}  // namespace tune::report
