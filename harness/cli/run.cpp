#include "cli/run.h"

#include "base/clock.h"
#include "base/error.h"
#include "cli/answer.h"
#include "cli/applied_form.h"
#include "cli/ask_rules.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/live_page.h"
#include "cli/machine_lock.h"
#include "cli/measure_campaign.h"
#include "cli/observe_script.h"
#include "cli/open_run.h"
#include "cli/plan.h"
#include "cli/present_run.h"
#include "cli/run_flags.h"
#include "cli/scenario_flags.h"
#include "cli/script_scenario.h"
#include "cli/slurm_run.h"
#include "cli/standard_streams.h"
#include "cli/trial_machine.h"
#include "cli/verbose.h"
#include "cli/verification_sitting.h"
#include "measure/campaign/settings.h"
#include "measure/campaign/summarise.h"
#include "measure/campaign/verification.h"
#include "scenario/read_script.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace tune::cli {

namespace {

RunShown shown_of(const RunRequest& request) {
  return {.rules = request.rules,
          .outputs = request.outputs,
          .as_json = request.as_json,
          .is_verbose = request.is_verbose,
          .color = request.color};
}

// For a run that continues with its recommendations: what a page shows meanwhile, and how it ended.
ExitCode keep_saved(const std::filesystem::path& directory, const RunRequest& request) {
  try {
    return campaign::exit_code(write_run_reports(directory, request.rules));
  } catch (const Error&) {  // told when it is presented
    return ExitCode::partial;
  }
}

// The recommendations, where the run asks for their pairs, then everything that there is.
ExitCode present_verified(const std::filesystem::path& directory,
                          const RunRequest& request,
                          const RunShown& shown,
                          ExitCode of_campaign) {
  ExitCode verified = ExitCode::fine;
  try {
    verified =
        of_campaign == ExitCode::fine ? verify_recommendations(request, directory) : ExitCode::fine;
  } catch (const MachineError& error) {
    std::cerr << "the recommendations could not be verified: " << error.what() << "\n";
    verified = ExitCode::not_available;
  } catch (const Error& error) {
    std::cerr << "the recommendations could not be verified: " << error.what() << "\n";
    verified = ExitCode::partial;
  }
  return worse(of_campaign, worse(verified, present_saved(directory, shown)));
}

std::string greeting(const OpenRun& open) {
  const auto cells = open.run.plan.cells.size();
  return open.run.scenario.name + ": " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") +
         ", " + std::to_string(open.run.scenario.rounds) + " rounds, run directory " +
         open.run.directory.string();
}

// Interrupted, killed or at the first failure: what no verdict depends on (the ladder, a whole
// epoch) may be missing.
bool was_cut(const campaign::RecordedRun& run) {
  const auto& sittings = run.ledger.sittings;
  return sittings.empty() || sittings.back().end_reason.empty() ||
         sittings.back().end_reason == "interrupted" ||
         sittings.back().end_reason == "trial-failed";
}

// A sitting that stopped by an error has said why, and what to do.
bool was_told(ExitCode code) {
  return code == ExitCode::our_bug || code == ExitCode::not_available;
}

ExitCode measure(const RunRequest& request, const std::filesystem::path& directory) {
  const std::int64_t start_ns = monotonic_ns();
  const std::string utc = utc_now();
  if (!request.resume
           .empty()) {  // what is not a run never becomes one, however long one waits for the lock
    check_resumable(campaign::read_recorded_run(directory), request);
  }
  auto lock = lock_machine(directory, request.waits);
  if (!lock) {
    return ExitCode::not_available;
  }
  RunShown shown = shown_of(request);
  shown.before_answer = [&lock] { lock.reset(); };  // a stopped terminal must not hold other runs
  std::optional<campaign::DirectoryLock> guard;     // until the last report is written
  std::optional<campaign::RecordedRun> recorded;
  if (!request.resume.empty()) {
    guard.emplace(lock_directory(directory));
    recorded = campaign::read_recorded_run(directory);
    check_resumable(*recorded, request);
    if (!was_cut(*recorded) && campaign::summarise(*recorded).complete) {
      const bool verifies = campaign::wanted_verifications(recorded->scenario) > 0;
      std::cerr << directory.string()
                << (verifies ? " is complete: its recommendations are left\n"
                             : " is complete: nothing is left to run\n");
      return verifies ? present_verified(directory, request, shown, ExitCode::fine)
                      : present_saved(directory, shown);
    }
  }
  std::unique_ptr<LivePage> live;
  if (request.live) {
    live = open_live_page(request, directory.filename().string());
    if (!live) {
      return ExitCode::not_available;
    }
  }
  bool verifies = false;
  const auto open = [&](const RunInput& input) {
    OpenRun opened =
        recorded
            ? resume_run(std::move(*recorded), input)
            : begin_run(read_with_overrides(request.file, request.overrides), directory, input);
    if (opened.lock) {
      guard.emplace(std::move(*opened.lock));
    }
    verifies = campaign::wanted_verifications(opened.run.scenario) > 0;
    return opened;
  };
  const auto present_or_keep = [&] {
    return verifies ? keep_saved(directory, request) : present_saved(directory, shown);
  };
  const trial::Workload workload =
      recorded ? recorded->scenario.workload
               : read_with_overrides(request.file, request.overrides).workload;
  const ExitCode code =
      measure_campaign({.request = request,
                        .utc = utc,
                        .start_ns = start_ns,
                        .go_on = resume_command(directory),
                        .worker = find_worker_program(workload),
                        .open = open,
                        .greeting = greeting,
                        .propose = [&](const auto& run) { return propose(run, request.rules); },
                        .present = present_or_keep,
                        .make_form = make_own_pair_form,
                        .live = live.get()});
  return verifies && !was_told(code) ? present_verified(directory, request, shown, code) : code;
}

void check_live_page(const RunRequest& request) {
  port_of(request.port);
  if (!request.port.empty() && !request.live) {
    throw Error(Error::Parts{"--port " + request.port,
                             "says nothing without --watch",
                             "nothing else listens",
                             "--watch"});
  }
}

bool is_on_slurm(const RunRequest& request) {
  return request.executor == "slurm";
}

void check_executor(const RunRequest& request) {
  expect_word("--executor", request.executor, {"local", "slurm"});
  const bool has_words = !request.slurm_arguments.empty() || !request.slurm_jobs.empty();
  if (has_words && !is_on_slurm(request)) {
    throw Error(Error::Parts{request.slurm_jobs.empty() ? "--slurm-arg" : "--slurm-jobs",
                             "says nothing without --executor slurm",
                             "this machine measures",
                             "--executor slurm"});
  }
  if (request.live && is_on_slurm(request)) {
    throw Error(Error::Parts{
        "--watch", "does not go with --executor slurm", "nothing is measured on this machine", ""});
  }
  if (is_on_slurm(request) && request.file == "-") {
    throw Error(Error::Parts{"-",
                             "does not go with --executor slurm",
                             "the jobs read the scenario when they begin",
                             "the name of a file on the shared folder"});
  }
  const auto cuts = [](const std::string& assignment) { return assignment.starts_with("shard="); };
  const auto& overrides = request.overrides;
  if (is_on_slurm(request) && std::any_of(overrides.begin(), overrides.end(), cuts)) {
    throw Error(Error::Parts{"--shard",
                             "does not go with --executor slurm",
                             "that makes the shards itself",
                             "--slurm-jobs N"});
  }
}

// Pairs decide: where those of one setting do not fit into the budget, shorter slices will do. In
// ms; nothing where those of the usual length fit.
std::optional<std::int64_t> slice_that_fits(const scenario::Scenario& scenario) {
  constexpr double kShortestNs = 400e6;  // the kernel counts CPU time in ticks of 10 ms
  constexpr double kShareOfPairs = 0.6;  // a little less than a run keeps for one setting's pairs
  const scenario::PlanCost cost = scenario::plan_cost(scenario, {});
  const trial::Measure& measure = scenario.measure;
  if (!scenario.budget_ns || cost.confirm_rounds == 0) {
    return std::nullopt;
  }
  const double trial_ns = kShareOfPairs * static_cast<double>(*scenario.budget_ns) /
                          static_cast<double>(2 * cost.confirm_rounds);
  const auto around_ns = static_cast<double>(cost.trial_ns - measure.slices * measure.slice_ns);
  const double fits_ns = (trial_ns - around_ns) / static_cast<double>(measure.slices);
  const std::int64_t slice_ns = std::llround(std::max(kShortestNs, fits_ns));
  return slice_ns < measure.slice_ns ? std::optional(slice_ns / 1'000'000) : std::nullopt;
}

// A script is run once, unchanged, before its trials can be planned. False: the machine is in use.
bool look_at_script(const RunRequest& request) {
  const bool is_typed = !request.command.empty();
  const trial::Workload workload = is_typed ? workload_of(request.command, request.command_options)
                                            : read_named_scenario(request.file).workload;
  const bool is_known = !workload.script.exists() || !workload.script.observed.empty();
  if (is_known || (request.dry_run && !is_typed)) {
    return true;
  }
  if (is_on_slurm(request)) {
    scenario::expect_observed(
        read_named_scenario(request.file));  // else each job would look by itself
  }
  const auto lock = lock_machine(std::filesystem::current_path(), request.waits);
  if (!lock) {
    return false;
  }
  if (is_typed) {
    constexpr std::int64_t kLongestNs = 1'800'000'000'000;  // some take minutes to their first step
    const ObservedScript observed = observe_script(workload, kLongestNs, request.quiet);
    const std::string name = scenario_name(workload);
    set_scenario_text(request.file, scenario_of(observed, name, ""));
    const auto slice_ms = slice_that_fits(read_with_overrides(request.file, request.overrides));
    set_scenario_text(request.file, scenario_of(observed, name, "", slice_ms));
  } else {
    observe_if_needed(request.file, request.quiet);
  }
  return true;
}

ExitCode measure_new(const RunRequest& request, const ScenarioFlags& flags) {
  const scenario::Scenario scenario = read_with_overrides(request.file, request.overrides);
  if (request.is_verbose) {
    tell_settings(scenario, flags);
  }
  rules_of(scenario, request.rules);  // what is wrong with them is said before anything runs
  if (leaves_no_cell(scenario, request.file)) {
    return ExitCode::nothing_matched;
  }
  if (request.dry_run) {
    return show_plan(scenario,
                     {.as_json = request.as_json, .budget_source = request.budget_source});
  }
  if (is_on_slurm(request)) {
    return run_on_slurm(request);
  }
  std::string name = scenario.name;
  if (scenario.shard) {  // shards of one folder begin within one second
    name += "-shard-" + std::to_string(scenario.shard->index) + "-of-" +
            std::to_string(scenario.shard->of);
  }
  return measure(request, choose_run_directory(request, name, utc_now(), true));
}

}  // namespace

ExitCode run_command(const RunRequest& request,
                     const ScenarioFlags& flags,
                     const RunCommand& command) {
  check_wish(request.outputs);
  check_live_page(request);
  check_executor(request);
  if (!request.command.empty() && request.file != scenario::kStandardInput) {
    throw Error(Error::Parts{"--",
                             "does not go with a scenario or --resume",
                             "a command is measured as a scenario of its own",
                             "tune init -o mine.yaml -- " + request.command.front() + " ..."});
  }
  if (request.file.empty() && request.resume.empty()) {
    const std::string& name = command.name;
    throw Error(
        Error::Parts{name,
                     "names no scenario",
                     "there is nothing to measure",
                     name + " scenarios/resnet18.yaml, or " + name + " -- python train.py"});
  }
  if (!request.resume.empty()) {
    if (request.dry_run) {
      throw Error(Error::Parts{"-n",
                               "does not go with --resume",
                               "the plan of a run that has begun is in its report",
                               "tune report " + request.resume + " --format text"});
    }
    if (request.fresh) {
      throw Error(Error::Parts{
          "--fresh", "does not go with --resume", "one begins again, the other continues", ""});
    }
    if (!request.output.empty()) {
      throw Error(Error::Parts{
          "-o " + request.output, "does not go with --resume", "a run stays where it is", ""});
    }
    std::error_code failed;
    const auto directory = std::filesystem::weakly_canonical(request.resume, failed);
    if (failed) {  // a name that is too long, links in a circle, no right to look
      throw_failed_call("--resume " + request.resume, "cannot be read", failed.value());
    }
    return is_on_slurm(request) ? resume_on_slurm(directory, request) : measure(request, directory);
  }
  RunRequest chosen = request;
  if (!command.prepare && request.command.empty() && !is_on_slurm(request)) {
    chosen.file = file_for_device(request.file, request.overrides, request.quiet);
  }
  if (!look_at_script(chosen)) {
    return ExitCode::not_available;
  }
  return measure_new(command.prepare ? command.prepare(chosen) : chosen, flags);
}

void add_run(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"run",
       "Measures the baseline, asks the rules what limits it, and searches the grid, beginning "
       "with "
       "what they propose. Every trial is a fresh process. Then the best cells run in fresh pairs "
       "with the baseline, and the proposals on top of one another: only these pairs prove a gain. "
       "Writes result.json, report.md and report.html into the run directory.",
       {"tune run scenarios/resnet18.yaml",
        "tune run -- python train.py --epochs 90",
        "tune run --resume tune-runs/latest",
        "tune run scenarios/resnet18.yaml --exhaustive",
        "tune run scenarios/resnet18.yaml --strategy grid --shard 2/4",

        "tune run scenarios/resnet18.yaml --verify top:3 --time 30m"}});
  const auto flags = std::make_shared<RunFlags>();
  add_run_flags(command, *flags);
  add_slurm_flags(command, flags->request);
  command.callback([&invocation, flags] {
    invocation.run = [&invocation, flags] {
      return run_command(flags->read(invocation), flags->scenario, {});
    };
  });
}

}  // namespace tune::cli
