#include "cli/scenario_flags.h"

#include "base/error.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/flags.h"
#include "cli/standard_streams.h"
#include "cli/trial_machine.h"
#include "measure/campaign/settings.h"
#include "scenario/plan.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace tune::cli {

namespace {

/// A flag that changes a setting (measure/campaign/settings.h).
struct SettingFlag {
  const char* key;   ///< of the setting
  const char* flag;  ///< without its dashes
  const char* type;  ///< of its value; "": the setting's words; null: it takes none
  const char* help;
};

constexpr std::array<SettingFlag, 8> kFlags = {
    {{"rounds", "rounds", "N", "Rounds of the search"},
     {"budget",
      "time",
      "TIME",
      "Wall time of the whole run, e.g. 10m; else TUNE_TIME, else the scenario's"},
     {"seed", "seed", "N", "Seed of the random order of trials"},
     {"strategy",
      "strategy",
      "",
      "Which cells are measured: all of the grid, or guided or random ones within the "
      "budget; else the scenario's"},
     {"profile",
      "profile",
      "",
      "Whose steps are recorded after their measured window: none, baseline, best (the "
      "default: baseline and confirmed cells) or all"},
     {"exhaustive",
      "exhaustive",
      nullptr,
      "After the search, measure every cell in full and say how close to the best the "
      "search came, and with which share of the work"},
     {"shard",
      "shard",
      "I/N",
      "Measure only this part of a grid (2/4: the second of four machines) and confirm "
      "nothing; tune merge joins the parts"},
     {"verify",
      "verify",
      "WHICH",
      "Fresh pairs for all recommendations that are settings, or the first few (top:3), "
      "after the campaign and within its budget; none: no fresh pairs at all"}}};

bool has_override(const std::vector<std::string>& overrides, const std::string& key) {
  return std::any_of(overrides.begin(), overrides.end(), [&](const std::string& assignment) {
    return assignment.starts_with(key + "=");
  });
}

bool sets_budget(const ScenarioFlags& flags) {
  return has_override(flags.sets, "budget");
}

// Nothing where --set says it: that is a flag, which wins over the environment.
GivenValue given_budget(const ScenarioFlags& flags) {
  constexpr const char* kOldVariable = "TUNE_BUDGET";
  const bool has_old_one = !is_set("TUNE_TIME") && is_set(kOldVariable);
  return !flags.has("budget") && sets_budget(flags)
             ? GivenValue{}
             : flag_or_environment(
                   "--time", flags.value_of("budget"), has_old_one ? kOldVariable : "TUNE_TIME");
}

// "--time 10", "environment variable TUNE_TIME=10".
std::string blame(const GivenValue& given) {
  return given.source + (given.from_environment ? "=" : " ") + given.value;
}

void check_budget(const GivenValue& budget) {
  if (!budget.value.empty() && !parse_time_ns(budget.value)) {
    throw Error(
        Error::Parts{blame(budget), "is not a time", "the unit is mandatory", "--time 10m"});
  }
}

}  // namespace

std::string ScenarioFlags::value_of(const std::string& key) const {
  if (const auto found = switches.find(key); found != switches.end()) {
    return found->second ? "true" : "";
  }
  const auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

bool ScenarioFlags::has(const std::string& key) const {
  return key == "only" ? !only.empty() : !value_of(key).empty();
}

std::vector<std::string> ScenarioFlags::overrides() const {
  const GivenValue budget = given_budget(*this);
  check_budget(budget);
  std::vector<std::string> all = sets;
  for (const SettingFlag& flag : kFlags) {
    const std::string key = flag.key;
    const std::string value = key == "budget" ? budget.value : value_of(key);
    if (!value.empty()) {
      scenario::Scenario tried;  // so that the flag is blamed, not a --set that nobody typed
      all.push_back(key);
      all.back() += "=" + value;
      const std::string typed =
          std::string("--") + flag.flag + (flag.type == nullptr ? "" : " " + value);
      campaign::apply_override(tried, all.back(), key == "budget" ? blame(budget) : typed);
    }
  }
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
    std::cerr << "time " << given.value << ": from " << given.source
              << "; --time would win over it\n";
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
  for (const SettingFlag& flag : kFlags) {
    const std::string name = std::string("--") + flag.flag;
    if (flag.type == nullptr) {
      command.add_flag(name, flags.switches[flag.key], flag.help);
    } else {
      const std::string type = flag.type;
      command.add_option(name, flags.values[flag.key], flag.help)
          ->type_name(type.empty() ? one_of(campaign::find_setting(flag.key)->words) : type);
    }
  }
}

scenario::Scenario read_with_overrides(const std::string& file,
                                       const std::vector<std::string>& overrides) {
  scenario::Scenario scenario = read_named_scenario(file);
  for (const std::string& assignment : overrides) {
    campaign::apply_override(scenario, assignment);
  }
  return scenario;
}

namespace {

bool runs_on_gpu(const std::string& file, const std::vector<std::string>& overrides) {
  scenario::Scenario scenario = read_named_scenario(file);
  for (const std::string& assignment : overrides) {
    if (assignment.starts_with("device=")) {
      campaign::apply_override(scenario, assignment);
    }
  }
  const machine::MachineFacts machine = machine_of_trials(scenario.workload);
  return machine.device == "cuda" && machine.no_gpu.empty();
}

}  // namespace

std::string file_for_gpu(const std::string& file) {
  const std::filesystem::path plain = file;
  std::filesystem::path of_gpu = plain;
  of_gpu.replace_filename(plain.stem().string() + "-gpu" + plain.extension().string());
  std::error_code failed;
  return !is_standard_input(plain) && std::filesystem::is_regular_file(of_gpu, failed)
             ? of_gpu.string()
             : "";
}

std::string file_for_device(const std::string& file,
                            const std::vector<std::string>& overrides,
                            bool quiet) {
  std::string of_gpu = file_for_gpu(file);
  if (of_gpu.empty() || has_override(overrides, "shard") || !runs_on_gpu(file, overrides)) {
    return file;
  }
  if (!quiet) {
    std::cerr << "a GPU can be used: " << typed_path(of_gpu) << " instead; --set device=cpu keeps "
              << typed_path(std::filesystem::path(file).filename()) << "\n";
  }
  return of_gpu;
}

bool leaves_no_cell(const scenario::Scenario& scenario, const std::string& file) {
  if (scenario.only.empty() ||
      scenario::make_plan(scenario, machine_of_trials(scenario.workload)).cells.size() > 1) {
    return false;
  }
  std::cerr << "--only: leaves no cell of the grid besides the baseline (tune plan "
            << typed_path(file) << " shows them all)\n";
  return true;
}

}  // namespace tune::cli
