#pragma once

#include "cli/scenario_flags.h"
#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace tune::cli {

// What -v says, on standard error.

/// Which variables of the environment are set of those that tune reads, and which folders, which
/// worker and which LibTorch are used.
void tell_surroundings();

/// A setting of a run, and where its value comes from.
struct SettingSource {
  std::string name;    ///< "rounds", "baseline num_workers"
  std::string value;   ///< as a scenario writes it
  std::string source;  ///< "--rounds", "--set", "environment variable TUNE_TIME", "scenario",
                       ///< "default"
};

/// For a scenario to which the flags have been applied: how it is searched and measured, then every
/// knob of the baseline.
std::vector<SettingSource> setting_sources(const scenario::Scenario& scenario,
                                           const ScenarioFlags& flags);

/// The same, told.
void tell_settings(const scenario::Scenario& scenario, const ScenarioFlags& flags);

}  // namespace tune::cli
