#include "cli/scenario_flags.h"

#include "base/error.h"
#include "base/units.h"
#include "campaign/overrides.h"
#include "cli/answer.h"
#include "cli/expect_word.h"
#include "cli/flag_or_environment.h"
#include "cli/standard_input.h"
#include "cli/trial_machine.h"
#include "scenario/plan.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

namespace tune::cli {

namespace {

bool sets_budget(const ScenarioFlags& flags) {
  return std::any_of(flags.sets.begin(), flags.sets.end(), [](const std::string& assignment) {
    return assignment.starts_with("budget=");
  });
}

// Nothing where --set says it: that is a flag, which wins over the environment.
GivenValue given_budget(const ScenarioFlags& flags) {
  return flags.budget.empty() && sets_budget(flags)
             ? GivenValue{}
             : flag_or_environment("--budget", flags.budget, "TUNE_BUDGET");
}

// "--budget 10", "environment variable TUNE_BUDGET=10".
std::string blame(const GivenValue& given) {
  return given.source + (given.from_environment ? "=" : " ") + given.value;
}

void check_budget(const GivenValue& budget) {
  if (!budget.value.empty() && !parse_time_ns(budget.value)) {
    throw Error(Error::Parts{blame(budget), "is no time", "the unit is mandatory", "--budget 10m"});
  }
}

}  // namespace

std::vector<std::string> ScenarioFlags::overrides() const {
  const GivenValue given = given_budget(*this);
  check_budget(given);
  std::vector<std::string> all = sets;
  const auto add = [&](const char* key, const std::string& value, const std::string& where) {
    if (!value.empty()) {
      scenario::Scenario tried;  // so that the flag is blamed, not a --set that nobody typed
      all.push_back(key + ("=" + value));
      campaign::apply_override(tried, all.back(), where);
    }
  };
  add("rounds", rounds, "--rounds " + rounds);
  add("seed", seed, "--seed " + seed);
  add("strategy", strategy, "--strategy " + strategy);
  add("budget", given.value, blame(given));
  add("profile", profile, "--profile " + profile);
  add("shard", shard, "--shard " + shard);
  add("verify", verify, "--verify " + verify);
  add("exhaustive", exhaustive ? "true" : "", "--exhaustive");
  for (const std::string& expression : only) {
    all.push_back("only=" + expression);  // what is wrong with it can only be said of a baseline
  }
  return all;
}

std::string ScenarioFlags::budget_source() const {
  if (const GivenValue given = given_budget(*this); !given.value.empty()) {
    return given.source;
  }
  return sets_budget(*this) ? "--set" : "scenario";
}

void tell_environment(const ScenarioFlags& flags) {
  if (const GivenValue given = given_budget(flags); given.from_environment) {
    std::cerr << "budget " << given.value << ": from " << given.source
              << "; --budget would win over it\n";
  }
}

void add_scenario_flags(CLI::App& command, ScenarioFlags& flags) {
  command
      .add_option(
          "--set", flags.sets, "Change a knob of the baseline, or device, rounds, slices, ...")
      ->type_name("KEY=VALUE")
      ->take_all();
  command
      .add_option("--only", flags.only, "Only cells for which this is true: \"num_workers > 0\"")
      ->type_name("EXPR")
      ->take_all();
  command.add_option("--rounds", flags.rounds, "Rounds of the search")->type_name("N");
  command
      .add_option("--budget",
                  flags.budget,
                  "Wall time of the whole run, e.g. 10m; else TUNE_BUDGET, else the scenario's")
      ->type_name("TIME");
  command.add_option("--seed", flags.seed, "Of the order of trials")->type_name("N");
  command
      .add_option("--strategy",
                  flags.strategy,
                  "Which cells are measured: all of the grid, or guided or random ones within the "
                  "budget; else the scenario's")
      ->type_name(one_of({"guided", "grid", "random"}));
  command
      .add_option("--profile",
                  flags.profile,
                  "Whose steps are recorded after their measured window: none, baseline, best (the "
                  "default: baseline and confirmed cells) or all")
      ->type_name(one_of({"none", "baseline", "best", "all"}));
  command.add_flag("--exhaustive",
                   flags.exhaustive,
                   "After the search measure every cell in full, and say what share of the best "
                   "the search had found for what share of the work");
  command
      .add_option("--shard",
                  flags.shard,
                  "This part of the cells of a grid only, on a machine of its own, and nothing is "
                  "confirmed: 2/4; tune merge joins the parts")
      ->type_name("I/N");
  command
      .add_option(
          "--verify",
          flags.verify,
          "Fresh pairs for all recommendations that are settings, or the first few (top:3), "
          "after the campaign and within its budget; none: no fresh pairs at all")
      ->type_name("WHICH");
}

scenario::Scenario read_with_overrides(const std::string& file,
                                       const std::vector<std::string>& overrides) {
  scenario::Scenario scenario = read_named_scenario(file);
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
