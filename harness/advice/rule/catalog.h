#pragma once

#include "advice/rule/rule.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::rule {

/// A rule file as found: not yet read.
struct RuleFile {
  std::string name;  ///< for complaints: "rules/input-bound.yaml"
  std::string text;
};

/// Rules that fit together: ids are all different, every rule that another one names exists, and
/// neither `explained_by` nor `mutes` goes round in a circle. Rules of validity stand first, then
/// by id.
struct Catalog {
  std::vector<Rule> rules;

  const Rule* find(const std::string& id) const;  ///< null when there is none
};

/// The rules that came with tune, embedded.
std::vector<RuleFile> shipped_rules();

/// The *.yaml of a folder, by name; folders within it are left alone. Throws tune::Error when it
/// cannot be read, holds no rule or more than 1,000, and when a file is larger than 1 MiB.
std::vector<RuleFile> rule_files_in(const std::filesystem::path& folder);

/// Reads and checks all of them, or none: throws tune::Error with every complaint about every file.
Catalog read_catalog(const std::vector<RuleFile>& files);

}  // namespace tune::rule
