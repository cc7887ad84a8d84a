#include "cli/scenario_flags.h"

#include "base/error.h"
#include "base/units.h"
#include "campaign/overrides.h"
#include "cli/answer.h"
#include "cli/trial_machine.h"
#include "scenario/cell.h"
#include "scenario/read_scenario.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace tune::cli {

std::vector<std::string> ScenarioFlags::overrides() const {
  if (!budget.empty() && !parse_time_ns(budget)) {
    throw Error(
        Error::Parts{"--budget " + budget, "is no time", "the unit is mandatory", "--budget 10m"});
  }
  std::vector<std::string> all = sets;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) {
      all.push_back(key + ("=" + value));
    }
  };
  add("rounds", rounds);
  add("seed", seed);
  add("budget", budget);
  add("profile", profile);
  add("exhaustive", exhaustive ? "true" : "");
  for (const std::string& expression : only) {
    add("only", expression);
  }
  return all;
}

void add_scenario_flags(CLI::App& command, ScenarioFlags& flags) {
  command.add_option("--set", flags.sets, "Change a knob of the baseline, or rounds, slices, ...")
      ->type_name("KEY=VALUE")
      ->take_all();
  command
      .add_option("--only", flags.only, "Only cells for which this is true: \"num_workers > 0\"")
      ->type_name("EXPR")
      ->take_all();
  command.add_option("--rounds", flags.rounds, "Rounds of the search")->type_name("N");
  command.add_option("--budget", flags.budget, "Wall time of the whole run, e.g. 10m")
      ->type_name("TIME");
  command.add_option("--seed", flags.seed, "Of the order of trials")->type_name("N");
  command
      .add_option("--profile",
                  flags.profile,
                  "Whose steps are recorded after their measured window: none, baseline, best (the "
                  "default: baseline and confirmed cells) or all")
      ->type_name("WHICH");
  command.add_flag("--exhaustive",
                   flags.exhaustive,
                   "After the search measure every cell in full, and say what share of the best "
                   "the search had found for what share of the work");
}

scenario::Scenario read_with_overrides(const std::string& file,
                                       const std::vector<std::string>& overrides) {
  scenario::Scenario scenario = scenario::load_scenario(file);
  for (const std::string& assignment : overrides) {
    campaign::apply_override(scenario, assignment);
  }
  return scenario;
}

bool leaves_no_cell(const scenario::Scenario& scenario, const std::string& file) {
  if (scenario.only.empty() ||
      scenario::make_plan(scenario, machine_of_trials(scenario.workload)).cells.size() > 1) {
    return false;
  }
  std::cerr << "--only: leaves no cell of the grid beside the baseline (tune plan " << quoted(file)
            << " shows them all)\n";
  return true;
}

}  // namespace tune::cli
