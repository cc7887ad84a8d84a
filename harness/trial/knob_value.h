#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace tune::trial {

/// One value of a knob, typed as the catalogue says.
using KnobValue = std::variant<bool, std::int64_t, double, std::string>;

/// Knob name -> value, sorted by name: two equal settings are equal maps.
using KnobSettings = std::map<std::string, KnobValue>;

/// As a scenario writes it: true, 32, 0.5, bf16.
std::string to_text(const KnobValue& value);

/// "amp=bf16 batch_size=32": for people and logs.
std::string to_text(const KnobSettings& settings);

}  // namespace tune::trial
