#include "trace/table/input_lists.h"

#include <charconv>

namespace tune::table {

namespace {

// Gives each element to `take`, until that says that it has enough.
template <class Take>
void read_elements(std::string_view array, Take take) {
  int depth = 0;
  bool is_quoted = false;
  std::size_t begin = 1;
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
      if (take(array.substr(begin, i - begin))) {
        return;
      }
      begin = i + 1;
    }
  }
}

}  // namespace

double Sizes::elements() const {
  double product = 1;
  for (std::size_t i = 0; i < count; ++i) {
    product *= static_cast<double>(values[i]);
  }
  return product;
}

std::string_view list_element(std::string_view list, std::size_t index) {
  std::string_view found;
  read_elements(list, [&, at = std::size_t{0}](std::string_view element) mutable {
    found = at == index ? element : found;
    return at++ == index;
  });
  return found;
}

std::vector<std::string_view> list_elements(std::string_view list) {
  std::vector<std::string_view> elements;
  read_elements(list, [&elements](std::string_view element) {
    elements.push_back(element);
    return false;
  });
  return elements;
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
