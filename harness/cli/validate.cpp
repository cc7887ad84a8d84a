#include "base/error.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "scenario/read_scenario.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace tune::cli {

namespace {

// Every file is read even when one is wrong, and what is right goes to stdout only if all are.
ExitCode validate(const std::vector<std::string>& files) {
  std::string passed, complaints;
  for (const std::string& file : files) {
    try {
      const scenario::Scenario scenario = scenario::load_scenario(file);
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
