#include "cli/run_flags.h"

#include "cli/flags.h"
#include "cli/machine_lock.h"
#include "measure/campaign/settings.h"

#include <CLI/App.hpp>

#include <string>

namespace tune::cli {

void take_global_flags(const Invocation& invocation, RunRequest& request) {
  request.quiet = invocation.quiet;
  request.words = invocation.words;
  request.color = invocation.color;
  request.plain_progress = invocation.plain_progress;
}

RunRequest RunFlags::read(const Invocation& invocation) {
  take_global_flags(invocation, request);
  request.is_verbose = invocation.verbose;
  request.command = invocation.command;
  if (!request.command.empty() && request.file.empty() && request.resume.empty()) {
    request.file = scenario::kStandardInput;  // the scenario that is made of it has no file
  }
  request.overrides = scenario.overrides();
  request.budget_source = scenario.budget_source();
  if (!request.quiet) {
    tell_environment(scenario);
  }
  for (const std::string& assignment : request.overrides) {
    if (assignment.starts_with("budget=")) {  // the flag is what --set means
      scenario::Scenario checked;
      campaign::apply_override(checked, assignment);
      request.budget_ns = checked.budget_ns;
    }
  }
  return request;
}

void add_run_flags(CLI::App& command, RunFlags& flags) {
  RunRequest& request = flags.request;
  command.add_option(
      "FILE", request.file, "Scenario, - is standard input; not needed with --resume");
  command.add_flag("-n,--dry-run", request.dry_run, "Show the plan, run nothing");
  add_scenario_flags(command, flags.scenario);
  command.add_option("--resume", request.resume, "Continue a run that was cut short")
      ->type_name("DIR");
  command.add_option("--rules", request.rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_option("-o,--output", request.output, "Run directory instead of tune-runs/...")
      ->type_name("DIR");
  command.add_flag("--fresh",
                   request.fresh,
                   "Move an earlier run in the folder of -o aside, to DIR.1, DIR.2, ...");
  add_command_options(command, request.command_options);
  add_wait_flag(command, request.waits);
  command.add_flag(
      "--fail-fast",
      request.fail_fast,
      "End the run at the first trial that fails; one that runs out of memory does not "
      "count");
  command.add_flag("--watch",
                   request.live,
                   "Show the run live on a page on 127.0.0.1; its address is on standard error");
  command.add_option("--port", request.port, "Port of --watch; default: any that is free")
      ->type_name("N");
  command.add_flag("--json", request.as_json, "The summary of result.json on standard output");
  add_output_flags(command, request.outputs);
}

void add_slurm_flags(CLI::App& command, RunRequest& request) {
  command
      .add_option(
          "--executor",
          request.executor,
          "local, or slurm: an array of exclusive jobs on a shared folder, each the baseline "
          "and one cell of the grid, then one job that confirms the best")
      ->type_name(one_of({"local", "slurm"}));
  command
      .add_option("--slurm-arg",
                  request.slurm_arguments,
                  "An argument of sbatch, as it stands: "
                  "--slurm-arg=--partition=long")
      ->type_name("ARG")
      ->allow_extra_args(false)
      ->take_all();
  command.add_option("--slurm-jobs", request.slurm_jobs, "Jobs of the array, default one a cell")
      ->type_name("N");
}

}  // namespace tune::cli
