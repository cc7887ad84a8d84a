#pragma once

#include "scenario/complaints.h"

#include <string>
#include <vector>

namespace tune::scenario {

/// A limit of a rule that a scenario overrides. What it means is known where the rules are read.
struct LimitSetting {
  std::string name, text;  ///< "share", "4%"
  Mark mark;               ///< of the value
};

/// One entry of `rules:`.
struct RuleSetting {
  std::string id;
  bool is_off = false;
  std::vector<LimitSetting> limits;
  Mark mark;  ///< of the id
};

/// What the `rules:` of a scenario say, from its text. Throws tune::Error when that is no scenario.
std::vector<RuleSetting> read_rule_settings(const std::string& text, const std::string& file);

}  // namespace tune::scenario
