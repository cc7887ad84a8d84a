#pragma once

#include "rule/catalog.h"
#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tune::cli {

/// --rules DIR [--scenario FILE] [--only ID...] [--skip ID...] as typed.
struct RuleOptions {
  std::string folder;    ///< of the user's own rules, beside those that came with tune
  std::string scenario;  ///< whose `rules:` switch rules off and override limits
  std::vector<std::string> only, skip;
};

/// Declares --rules alone, for commands that look at the catalogue.
void add_rules_folder(CLI::App& command, RuleOptions& options);
/// Declares all of them, for commands that ask the rules.
void add_rule_options(CLI::App& command, RuleOptions& options);

/// The rules that are asked for. Throws tune::Error with everything that is wrong with any of them,
/// and when an id does not exist.
rule::Catalog read_rules(const RuleOptions& options);

/// The same for a run: where --scenario names none, the settings are those of its own scenario.
rule::Catalog read_rules(const RuleOptions& options, const scenario::Scenario& scenario);

/// The rule of that id; tune::Error with the nearest when there is none. `where` begins the
/// complaint: "tune rules show".
const rule::Rule& expect_rule(const std::string& where,
                              const rule::Catalog& catalog,
                              const std::string& id);

}  // namespace tune::cli
