#include "base/error.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/launch_space.h"
#include "cli/run.h"
#include "cli/run_flags.h"
#include "cli/standard_streams.h"
#include "cli/trial_machine.h"

#include <CLI/App.hpp>

#include <iostream>
#include <memory>

namespace tune::cli {

namespace {

// The space of launch lines in place of the grid; a grid that was made for few axes has a strategy
// that would not do for many.
RunRequest with_launch_space(const RunRequest& request, const ScenarioFlags& flags) {
  const scenario::Scenario scenario = read_named_scenario(request.file);
  const LaunchSpace space = launch_space(machine_of_trials(scenario.workload));
  if (!request.quiet) {
    for (const std::string& missing : space.missing) {
      std::cerr << "not tried: " << missing << "\n";
    }
  }
  set_scenario_text(request.file, launch_scenario(scenario, space));
  RunRequest launched = request;
  if (!flags.has("strategy")) {
    launched.overrides.emplace_back("strategy=guided");
  }
  const bool has_budget = scenario.budget_ns || request.budget_ns;
  if (!has_budget) {
    launched.overrides.emplace_back("budget=15m");
  }
  return launched;
}

}  // namespace

void add_launch(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"launch",
       "Searches what can be put before a command: allocator, OpenMP runtime, threads and their "
       "binding, huge pages, oneDNN, CPUs. What this machine can use of these makes up one grid, "
       "which takes the place of the scenario's. Ends with one line to copy that is proven "
       "faster in fresh pairs, or says that no line is faster than yours. Everything else is as "
       "in `tune run`.",
       {"tune launch -- python train.py --epochs 90",
        "tune launch scenarios/mlp.yaml --time 10m",
        "tune launch scenarios/mlp.yaml -n",
        "tune launch --resume tune-runs/latest"}});
  const auto flags = std::make_shared<RunFlags>();
  add_run_flags(command, *flags);
  command.callback([&invocation, flags] {
    invocation.run = [&invocation, flags] {
      return run_command(flags->read(invocation),
                         flags->scenario,
                         {.name = "tune launch", .prepare = [flags](const RunRequest& request) {
                            return with_launch_space(request, flags->scenario);
                          }});
    };
  });
}

}  // namespace tune::cli
