#include "trial/plugin_knob.h"

#include <algorithm>
#include <iterator>

namespace tune::trial {

namespace {

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

KnobSettings those(const KnobSettings& settings, bool of_plugin) {
  KnobSettings found;
  std::copy_if(settings.begin(),
               settings.end(),
               std::inserter(found, found.end()),
               [&](const auto& setting) { return is_plugin_knob(setting.first) == of_plugin; });
  return found;
}

}  // namespace

bool is_plugin_knob(std::string_view name) {
  if (!name.starts_with(kPluginKnob)) {
    return false;
  }
  name.remove_prefix(kPluginKnob.size());
  return !name.empty() && is_lower(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_lower(c) || (c >= '0' && c <= '9') || c == '_';
         });
}

KnobSettings plugin_knobs(const KnobSettings& settings) {
  return those(settings, true);
}

KnobSettings catalogue_knobs(const KnobSettings& settings) {
  return those(settings, false);
}

std::string type_complaint(const KnobValue& usual, const KnobValue& value) {
  if (usual.index() == value.index()) {
    return "";
  }
  const bool is_flag = std::holds_alternative<bool>(usual);
  const bool is_whole = std::holds_alternative<std::int64_t>(usual);
  return std::string(is_flag    ? "must be true or false"
                     : is_whole ? "must be a whole number"
                                : "must be a word") +
         ", as in the baseline";
}

}  // namespace tune::trial
