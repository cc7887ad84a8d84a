#include "trial/knob_value.h"

#include <array>
#include <cstdio>

namespace tune::trial {

std::string to_text(const KnobValue& value) {
  if (const auto* const flag = std::get_if<bool>(&value)) {
    return *flag ? "true" : "false";
  }
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    return std::to_string(*whole);
  }
  if (const auto* const real = std::get_if<double>(&value)) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", *real);
    return text.data();
  }
  return std::get<std::string>(value);
}

std::string to_text(const KnobSettings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += (text.empty() ? "" : " ") + name + "=" + to_text(value);
  }
  return text;
}

}  // namespace tune::trial
