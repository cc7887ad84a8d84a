#include "report/embedded_data.h"

#include "base/text.h"

#include <algorithm>

namespace tune::report {

namespace {

constexpr const char* kBegin = "<script type=\"application/json\" id=\"tune-result\">";
constexpr const char* kEnd = "</script>\n";

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Markup, and what is obeyed in place of being shown, the two line ends of Unicode among it that
// old readers of JavaScript stumble over. Of JSON they can only stand within texts.
bool must_be_escaped(const Character& character) {
  const bool is_markup = character.code == '<' || character.code == '>' || character.code == '&';
  return is_markup || (!character.is_shown && character.code != '\r');
}

std::string compact(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  bool is_within_text = false;
  while (!json.empty()) {
    const Character next = first_character(json);
    std::size_t taken = next.bytes;
    if (must_be_escaped(next)) {
      text += escape_of(next);
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
  const auto spaces = std::count_if(json.begin(), json.end(), is_space);
  if (json.size() - static_cast<std::size_t>(spaces) > kMostDataBytes) {
    return "";  // already without what texts have of them
  }
  const std::string text = compact(json);
  return text.empty() || text.size() > kMostDataBytes ? "" : kBegin + text + kEnd;
}

}  // namespace tune::report
