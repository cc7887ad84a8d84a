#include "advice/filled_code.h"

#include "expression/readable_text.h"
#include "rule/code_placeholders.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace tune::advice {

namespace {

std::string value_text(const std::string& name,
                       const std::vector<ProposedKnob>& knobs,
                       const rule::FactTable& facts) {
  const auto proposed = std::find_if(
      knobs.begin(), knobs.end(), [&](const ProposedKnob& knob) { return knob.name == name; });
  if (proposed != knobs.end()) {
    return proposed->to ? trial::to_text(*proposed->to) : "...";
  }
  const expression::Result present = facts.value(name);
  const auto* const value = std::get_if<expression::Value>(&present);
  if (value == nullptr) {
    return "...";
  }
  if (const auto* const number = std::get_if<expression::Number>(&value->data)) {
    return std::to_string(std::llround(number->value));  // knobs are whole numbers
  }
  const auto* const word = std::get_if<std::string>(&value->data);
  return word != nullptr ? *word : expression::to_readable_text(*value);
}

}  // namespace

std::string filled_code(const std::string& code,
                        const std::vector<ProposedKnob>& knobs,
                        const rule::FactTable& facts) {
  std::string text;
  std::size_t copied = 0;
  for (const rule::Placeholder& placeholder : rule::placeholders_in(code)) {
    text.append(code, copied, placeholder.begin - copied);
    text += value_text(placeholder.knob, knobs, facts);
    copied = placeholder.begin + placeholder.size;
  }
  return text.append(code, copied, std::string::npos);
}

}  // namespace tune::advice
