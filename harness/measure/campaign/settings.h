#pragma once

#include "scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::campaign {

/// One --set key=value.
struct Assignment {
  std::string where;  ///< what is blamed where it does not fit
  std::string key, value;
};

/// The only list of what may be set in a campaign besides knobs and axes.
struct Setting {
  const char* key;      ///< of --set; where there is a flag of that name, it says the same
  const char* section;  ///< of the scenario that may say it; null: none does
  const char* name;     ///< in that section
  std::vector<std::string> words;  ///< that it may be; empty: others
  /// Throws tune::Error where the value does not fit.
  void (*set)(scenario::Scenario& scenario, const Assignment& assignment);
  /// As a person reads it; null: it is not shown.
  std::string (*shown)(const scenario::Scenario& scenario) = nullptr;
};

/// In the order in which they are shown.
const std::vector<Setting>& all_settings();

/// Null when there is no such setting.
const Setting* find_setting(std::string_view key);

/// Changes a scenario as `tune run --set key=value` says: a setting, a knob's baseline value, or
/// `grid.<knob>` (the axis is this one value). A grid axis of a knob else stays as it is, and
/// `until` takes the limit of `confirm_rounds` away. Throws tune::Error for an unknown key or a
/// value that does not fit; `where` is what it blames, "" the assignment as the value of --set.
void apply_override(scenario::Scenario& scenario,
                    const std::string& assignment,
                    const std::string& where = "");

}  // namespace tune::campaign
