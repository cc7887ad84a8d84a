#pragma once

#include "cli/commands.h"
#include "cli/open_run.h"
#include "cli/scenario_flags.h"

namespace tune::cli {

/// What was typed behind `tune run` or `tune launch`.
struct RunFlags {
  RunRequest request;
  ScenarioFlags scenario;

  /// The request with what follows --, the global flags and the environment.
  RunRequest read(const Invocation& invocation);
};

/// What the flags that stand anywhere in a command (global_flags.h) mean for a run.
void take_global_flags(const Invocation& invocation, RunRequest& request);

/// Adds the scenario and all flags of a run but those of Slurm; `flags` outlives the command.
void add_run_flags(CLI::App& command, RunFlags& flags);

/// Adds --executor and what goes with it; `request` outlives the command.
void add_slurm_flags(CLI::App& command, RunRequest& request);

}  // namespace tune::cli
