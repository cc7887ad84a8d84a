#include "trial/environment_knob.h"

#include <algorithm>
#include <iterator>

namespace tune::trial {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string_view variable_of(std::string_view knob) {
  return knob.substr(kEnvironmentKnob.size());
}

}  // namespace

bool is_environment_knob(std::string_view name) {
  constexpr std::size_t kLongest = 128;
  if (!name.starts_with(kEnvironmentKnob)) {
    return false;
  }
  const std::string_view variable = variable_of(name);
  return !variable.empty() && variable.size() <= kLongest && is_letter(variable.front()) &&
         std::all_of(variable.begin(), variable.end(), [](char c) {
           return is_letter(c) || (c >= '0' && c <= '9');
         });
}

std::string why_not_set(std::string_view variable) {
  if (variable.starts_with("TUNE_")) {
    return "tune itself uses it";
  }
  if (variable == "PYTHONPATH") {
    return "the agent enters the script through it";
  }
  return variable == "LD_LIBRARY_PATH" ? "the worker finds LibTorch through it" : "";
}

std::string value_complaint(std::string_view value) {
  constexpr std::size_t kLongest = 4096;
  if (value.size() > kLongest) {
    return "must have at most 4096 bytes";
  }
  return value.find('\0') != std::string_view::npos ? "must not hold a zero byte" : "";
}

KnobSettings environment_knobs(const KnobSettings& settings) {
  KnobSettings found;
  std::copy_if(
      settings.begin(), settings.end(), std::inserter(found, found.end()), [](const auto& setting) {
        return is_environment_knob(setting.first);
      });
  return found;
}

std::map<std::string, std::string> variables_of(const KnobSettings& settings) {
  std::map<std::string, std::string> variables;
  for (const auto& [name, value] : environment_knobs(settings)) {
    std::string text = to_text(value);
    if (text != kVariableAsItIs) {
      variables.emplace(variable_of(name), std::move(text));
    }
  }
  return variables;
}

bool is_knob_of_the_user(std::string_view name) {
  return is_plugin_knob(name) || is_environment_knob(name);
}

bool is_knob(std::string_view name) {
  return find_knob(name) != nullptr || is_knob_of_the_user(name);
}

}  // namespace tune::trial
