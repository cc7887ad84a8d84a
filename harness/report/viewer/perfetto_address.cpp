#include "report/viewer/perfetto_address.h"

#include <algorithm>
#include <cctype>

namespace tune::viewer {

namespace {

bool is_alphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool is_of_name(char c) {
  return is_alphanumeric(c) || c == '.' || c == '_' || c == '-';
}

bool is_of_address(char c) {
  return is_of_name(c) || c == '/' || c == ':' || c == '~';
}

std::size_t scheme_length(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (text.starts_with(scheme)) {
      return scheme.size();
    }
  }
  return 0;
}

}  // namespace

std::optional<std::string> viewer_address(std::string_view text) {
  while (text.ends_with('/')) {
    text.remove_suffix(1);
  }
  const std::size_t scheme = scheme_length(text);
  const bool is_address = scheme > 0 && text.size() > scheme && is_alphanumeric(text[scheme]) &&
                          std::all_of(text.begin(), text.end(), is_of_address);
  return is_address ? std::optional<std::string>(text) : std::nullopt;
}

std::string origin_of(std::string_view viewer) {
  return std::string(viewer.substr(0, viewer.find('/', scheme_length(viewer))));
}

std::string page_address(const std::string& viewer,
                         int port,
                         const std::string& name,
                         const std::optional<VisibleRange>& visible) {
  std::string address = viewer + "/#!/?url=http://127.0.0.1:" + std::to_string(port) + "/" + name;
  if (visible) {
    address += "&visStart=" + std::to_string(visible->begin_ns) +
               "&visEnd=" + std::to_string(visible->end_ns);
  }
  return address;
}

std::string address_name(std::string_view file_name) {
  constexpr std::size_t kLongest = 120;
  std::string name(file_name.substr(file_name.size() - std::min(file_name.size(), kLongest)));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_of_name(c); }, '_');
  const bool has_letter = std::any_of(name.begin(), name.end(), [](char c) { return c != '.'; });
  return has_letter ? name : "trace.json";
}

}  // namespace tune::viewer
