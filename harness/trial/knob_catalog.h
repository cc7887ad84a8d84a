#pragma once

#include "trial/knob_value.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::trial {

/// What a scenario may write for one knob. The worker applies it in harness/worker/knob/<name>.cpp.
struct Knob {
  enum class Kind { boolean, integer, choice, cpu_list };

  std::string name;  ///< PyTorch's name where PyTorch has one
  Kind kind = Kind::boolean;
  KnobValue default_value;           ///< what PyTorch does when nobody says anything
  std::int64_t min = 0, max = 0;     ///< for integers, inclusive
  std::vector<std::string> choices;  ///< for choices
  std::string summary;               ///< one line for `tune list knobs`
  bool preserves_numerics = true;    ///< false: the loss may differ in more than the last digits

  bool operator==(const Knob&) const = default;
};

/// All knobs, sorted by name.
const std::vector<Knob>& all_knobs();

/// Null when there is no such knob.
const Knob* find_knob(std::string_view name);

/// Every knob at its default.
KnobSettings default_settings();

/// Why the value does not fit the knob ("must be from 0 to 256"), or "" when it fits.
std::string complaint_about(const Knob& knob, const KnobValue& value);

}  // namespace tune::trial
