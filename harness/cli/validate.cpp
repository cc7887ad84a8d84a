#include "base/error.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "rule/rule_settings.h"
#include "scenario/read_scenario.h"
#include "scenario/rule_setting.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace tune::cli {

namespace {

// What `rules:` names must exist; the rules are only read where it names some.
void check_rules(const scenario::Scenario& scenario, const std::string& file) {
  const auto settings = scenario::read_rule_settings(scenario.text, file);
  if (!settings.empty()) {
    rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
    apply_settings(settings, file, catalog);
  }
}

// Every file is read even when one is wrong, and what is right goes to stdout only if all are.
ExitCode validate(const std::vector<std::string>& files) {
  std::string passed, complaints;
  for (const std::string& file : files) {
    try {
      const scenario::Scenario scenario = scenario::load_scenario(file);
      check_rules(scenario, file);
      passed += file + ": valid\n";
      for (const std::string& note : scenario.notes) {
        passed += "  note: " + note + "\n";
      }
    } catch (const Error& error) {
      complaints += std::string(error.what()) + "\n";
    }
  }
  if (!complaints.empty()) {
    std::cerr << complaints;
    return ExitCode::wrong_input;
  }
  std::cout << passed;
  return ExitCode::fine;
}

}  // namespace

void add_validate(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"validate",
       "Checks scenarios: schema, meaning, expressions. Names every mistake at once; runs nothing.",
       {"tune validate scenarios/resnet18.yaml", "tune validate scenarios/*.yaml"}});
  const auto files = std::make_shared<std::vector<std::string>>();
  command.add_option("FILE", *files, "Scenarios")->required();
  command.callback([&invocation, files] { invocation.run = [files] { return validate(*files); }; });
}

}  // namespace tune::cli
