#include "rule/code_placeholders.h"

namespace tune::rule {

namespace {

bool begins_name(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_of_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::vector<Placeholder> placeholders_in(std::string_view code) {
  std::vector<Placeholder> found;
  for (std::size_t open = code.find('{'); open != code.npos; open = code.find('{', open + 1)) {
    std::size_t end = open + 1;
    while (end < code.size() && is_of_name(code[end])) {
      ++end;
    }
    const bool is_name = end > open + 1 && begins_name(code[open + 1]);
    if (is_name && end < code.size() && code[end] == '}') {
      found.push_back({open, end + 1 - open, std::string(code.substr(open + 1, end - open - 1))});
    }
  }
  return found;
}

}  // namespace tune::rule
