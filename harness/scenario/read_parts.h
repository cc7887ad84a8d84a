#pragma once

#include "scenario/complaints.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::scenario {

/// What has to be made, and what has to be there, before a scenario can be measured.
struct BuildOrder {
  std::string command;  ///< `workload.build`; "": nothing has to be made
  /// What may name a file in `workload:`, at any depth: texts with a '/' or a '.' in them.
  std::vector<std::string> paths;
  std::string data_path;  ///< `data.path`, or ""
};

/// Reads it without asking whether any file is there: a plug-in may yet have to be built. `file` is
/// named in complaints. Throws tune::Error with every complaint about the YAML and its schema.
BuildOrder read_build_order(const std::string& text, const std::filesystem::path& file);

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

/// What the `rules:` of a scenario say, from its text. Throws tune::Error when that is not a
/// scenario.
std::vector<RuleSetting> read_rule_settings(const std::string& text, const std::string& file);

}  // namespace tune::scenario
