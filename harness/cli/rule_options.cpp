#include "cli/rule_options.h"

#include "base/error.h"
#include "base/text.h"
#include "rule/rule_settings.h"
#include "scenario/scenario.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tune::cli {

namespace {

bool names(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

rule::Catalog all_rules(const std::string& folder) {
  std::vector<rule::RuleFile> files = rule::shipped_rules();
  if (!folder.empty()) {
    std::vector<rule::RuleFile> own = rule::rule_files_in(folder);
    files.insert(
        files.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  return rule::read_catalog(files);
}

// As the `rules:` of a scenario want them; `file` is blamed for what is wrong with those.
void settle(const scenario::Scenario& scenario, const std::string& file, rule::Catalog& catalog) {
  apply_settings(scenario::read_rule_settings(scenario.text, file), file, catalog);
}

// --only and --skip.
void choose(const RuleOptions& options, rule::Catalog& catalog) {
  for (const std::string& id : options.only) {
    expect_rule("--only " + id, catalog, id);
  }
  for (const std::string& id : options.skip) {
    expect_rule("--skip " + id, catalog, id);
  }
  std::erase_if(catalog.rules, [&](const rule::Rule& rule) {
    return names(options.skip, rule.id) || (!options.only.empty() && !names(options.only, rule.id));
  });
}

}  // namespace

void add_rules_folder(CLI::App& command, RuleOptions& options) {
  command.add_option("--rules", options.folder, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
}

void add_rule_options(CLI::App& command, RuleOptions& options) {
  add_rules_folder(command, options);
  command
      .add_option("--scenario",
                  options.scenario,
                  "Scenario whose `rules:` switch rules off and override limits")
      ->type_name("FILE");
  // One id each, so that what follows is not taken for another one.
  command.add_option("--only", options.only, "Ask only this rule; may be repeated")
      ->type_name("ID")
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--skip", options.skip, "Do not ask this rule; may be repeated")
      ->type_name("ID")
      ->allow_extra_args(false)
      ->take_all();
}

rule::Catalog read_rules(const RuleOptions& options) {
  rule::Catalog catalog = all_rules(options.folder);
  if (!options.scenario.empty()) {
    settle(scenario::load_scenario(options.scenario), options.scenario, catalog);
  }
  choose(options, catalog);
  return catalog;
}

rule::Catalog read_rules(const RuleOptions& options, const scenario::Scenario& scenario) {
  if (!options.scenario.empty()) {
    return read_rules(options);
  }
  rule::Catalog catalog = all_rules(options.folder);
  settle(scenario, scenario.file.string(), catalog);
  choose(options, catalog);
  return catalog;
}

const rule::Rule& expect_rule(const std::string& where,
                              const rule::Catalog& catalog,
                              const std::string& id) {
  if (const rule::Rule* const rule = catalog.find(id)) {
    return *rule;
  }
  std::vector<std::string> ids;
  ids.reserve(catalog.rules.size());
  for (const rule::Rule& rule : catalog.rules) {
    ids.push_back(rule.id);
  }
  throw Error(Error::Parts{where,
                           "there is no rule " + scenario::quote(id),
                           "rules are listed by 'tune rules list'",
                           did_you_mean(id, ids)});
}

}  // namespace tune::cli
