#pragma once

#include "trial/trial_spec.h"

#include <stdexcept>
#include <string>

namespace tune::worker {

/// The spec's value of a knob; parse_trial_spec has checked that it is there and of its type.
template <class Value>
const Value& knob_setting(const trial::TrialSpec& spec, const std::string& name) {
  const auto found = spec.knobs.find(name);
  const auto* const value =
      found == spec.knobs.end() ? nullptr : std::get_if<Value>(&found->second);
  if (value == nullptr) {
    throw std::invalid_argument("knobs." + name + ": missing or of another type");
  }
  return *value;
}

}  // namespace tune::worker
