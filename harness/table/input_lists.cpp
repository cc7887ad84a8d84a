#include "table/input_lists.h"

#include <charconv>

namespace tune::table {

std::string_view list_element(std::string_view array, std::size_t index) {
  int depth = 0;
  bool is_quoted = false;
  std::size_t begin = 1, at = 0;
  for (std::size_t i = 0; i < array.size(); ++i) {
    const char c = array[i];
    if (is_quoted) {
      i += c == '\\' ? 1 : 0;
      is_quoted = c != '"';
      continue;
    }
    is_quoted = c == '"';
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if ((c == ',' && depth == 1) || (c == ']' && depth == 0)) {
      if (at == index) {
        return array.substr(begin, i - begin);
      }
      ++at;
      begin = i + 1;
    }
  }
  return {};
}

std::optional<Sizes> sizes_in(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') {
    return std::nullopt;
  }
  Sizes sizes;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at != end) {
    at += *at == ' ' || *at == ',' ? 1 : 0;
    if (at == end || *at == ' ') {
      continue;
    }
    if (sizes.count == Sizes::kMost) {
      return std::nullopt;
    }
    const auto [stopped, error] = std::from_chars(at, end, sizes.values[sizes.count++]);
    if (error != std::errc() || (stopped != end && *stopped != ',')) {
      return std::nullopt;
    }
    at = stopped;
  }
  return sizes;
}

}  // namespace tune::table
