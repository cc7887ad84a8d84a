#include "advice/rule/rule_settings.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/prepare_inputs.h"
#include "cli/standard_streams.h"
#include "scenario/read_parts.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

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

struct Wish {
  std::vector<std::string> files;
  bool alone = false;  // --schema-only
  bool as_json = false;
};

struct Verdict {
  std::string file;
  std::vector<std::string> notes;
  std::string problems;  // a line each; "": it is valid
};

Verdict verdict_on(const std::string& file, bool alone) {
  const std::string name = is_standard_input(file) ? "standard input" : file;
  Verdict verdict{.file = name};
  try {
    const scenario::Scenario scenario = read_named_scenario(file);
    if (!alone) {
      check_rules(scenario, name);
      verdict.notes = look_at_own_files(scenario);
    }
    verdict.notes.insert(verdict.notes.begin(), scenario.notes.begin(), scenario.notes.end());
  } catch (const Error& error) {
    verdict.problems = error.what();
  }
  return verdict;
}

ExitCode print_json(const std::vector<Verdict>& verdicts) {
  bool all_valid = true;
  auto list = nlohmann::ordered_json::array();
  for (const Verdict& verdict : verdicts) {
    auto problems = nlohmann::ordered_json::array();
    std::istringstream lines(verdict.problems);
    for (std::string line; std::getline(lines, line);) {
      problems.push_back(line);
    }
    all_valid = all_valid && problems.empty();
    list.push_back({{"file", verdict.file},
                    {"valid", problems.empty()},
                    {"problems", problems},
                    {"notes", verdict.notes}});
  }
  std::cout << nlohmann::ordered_json{{"files", list}}.dump(
                   2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
            << '\n';
  return all_valid ? ExitCode::fine : ExitCode::wrong_input;
}

// Every file is read even when one is wrong, and what is right goes to stdout only if all are.
ExitCode validate(const Wish& wish) {
  std::vector<Verdict> verdicts;
  verdicts.reserve(wish.files.size());
  for (const std::string& file : wish.files) {
    verdicts.push_back(verdict_on(file, wish.alone));
  }
  if (wish.as_json) {
    return print_json(verdicts);
  }
  std::string passed, complaints;
  for (const Verdict& verdict : verdicts) {
    if (!verdict.problems.empty()) {
      complaints += verdict.problems + "\n";
      continue;
    }
    passed += verdict.file + ": valid\n";
    for (const std::string& note : verdict.notes) {
      passed += "  note: " + note + "\n";
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
       {"tune validate scenarios/resnet18.yaml",
        "tune validate scenarios/*.yaml",
        "tune validate - <scenario.yaml"}});
  const auto wish = std::make_shared<Wish>();
  command.add_option("FILE", wish->files, "Scenarios; - is standard input")->required();
  command.add_flag("--schema-only",
                   wish->alone,
                   "The scenario alone: whether the files and rules that it names exist does not "
                   "matter");
  command.add_flag("--json", wish->as_json, "One JSON document: every file with its problems");
  command.callback([&invocation, wish] { invocation.run = [wish] { return validate(*wish); }; });
}

}  // namespace tune::cli
