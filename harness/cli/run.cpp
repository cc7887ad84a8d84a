#include "base/error.h"
#include "base/monotonic_clock.h"
#include "base/units.h"
#include "campaign/load_campaign.h"
#include "campaign/overrides.h"
#include "campaign/summarise.h"
#include "cli/add_command.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/keep_history.h"
#include "cli/live_page.h"
#include "cli/machine_lock.h"
#include "cli/measure_campaign.h"
#include "cli/open_run.h"
#include "cli/port_flag.h"
#include "cli/probe_facts.h"
#include "cli/run_profiles.h"
#include "cli/run_request.h"
#include "cli/run_rules.h"
#include "cli/scenario_flags.h"
#include "cli/show_plan.h"
#include "cli/step_summary.h"
#include "machine/machine_facts.h"
#include "report/markdown.h"
#include "report/result_json.h"
#include "report/write_reports.h"
#include "scenario/cell.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

// Reports first, then what a person reads; the result is what the files say.
ExitCode present(const std::filesystem::path& directory, const RunRequest& request) {
  campaign::CampaignResult result = campaign::load_campaign(directory);
  read_profiles(result);
  keep_probe(result);
  keep_history(result);
  ask_rules(result, request.rules);  // of earlier runs too
  report::write_reports(result);
  note_in_history(result.directory);
  append_step_summary(
      [&](std::size_t room_bytes) { return report::to_markdown(result, room_bytes); });
  write_wished(request.outputs,
               report::read_stored_result(report::to_result_json(result), "result.json"),
               directory);
  std::cout << (request.as_json ? answer_json(result)
                                : answer(result, look_at(STDOUT_FILENO, request.color)))
            << std::flush;
  return campaign::exit_code(result);
}

// The trials are on disk whatever happens here: a report that cannot be written is no wrong input.
ExitCode present_saved(const std::filesystem::path& directory, const RunRequest& request) {
  try {
    return present(directory, request);
  } catch (const Error& error) {
    std::cerr << "the run is saved, but its report could not be made: " << error.what()
              << "\nwhen that is mended: tune report " << quoted(directory) << "\n";
    return ExitCode::partial;
  }
}

std::string greeting(const OpenRun& open) {
  const auto cells = open.run.plan.cells.size();
  return open.run.scenario.name + ": " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") +
         ", " + std::to_string(open.run.scenario.rounds) + " rounds, run directory " +
         open.run.directory.string();
}

// Interrupted, killed or at the first failure: what no verdict hangs on (the ladder, a whole epoch)
// may be missing.
bool was_cut(const campaign::RecordedRun& run) {
  const auto& sittings = run.ledger.sittings;
  return sittings.empty() || sittings.back().end_reason.empty() ||
         sittings.back().end_reason == "interrupted" ||
         sittings.back().end_reason == "trial-failed";
}

ExitCode measure(const RunRequest& request, const std::filesystem::path& directory) {
  const std::int64_t start_ns = monotonic_ns();
  const std::string utc = utc_now();
  if (!request.resume.empty()) {  // what is no run stays none, however long one waits for the lock
    check_resumable(campaign::read_recorded_run(directory), request);
  }
  const auto lock = lock_machine(directory);
  if (!lock) {
    return ExitCode::not_available;
  }
  std::optional<campaign::RecordedRun> recorded;
  if (!request.resume.empty()) {
    recorded = campaign::read_recorded_run(directory);
    check_resumable(*recorded, request);
    if (!was_cut(*recorded) && campaign::summarise(*recorded).complete) {
      std::cerr << directory.string() << " is complete: nothing is left to run\n";
      return present_saved(directory, request);
    }
  }
  std::unique_ptr<LivePage> live;
  if (request.live) {
    live = open_live_page(request, directory.filename().string());
    if (!live) {
      return ExitCode::not_available;
    }
  }
  const auto open = [&](const RunInput& input) {
    return recorded
               ? resume_run(std::move(*recorded), input)
               : begin_run(read_with_overrides(request.file, request.overrides), directory, input);
  };
  return measure_campaign({.request = request,
                           .utc = utc,
                           .start_ns = start_ns,
                           .go_on = resume_command(directory),
                           .open = open,
                           .greeting = greeting,
                           .propose = [&](const auto& run) { return propose(run, request.rules); },
                           .present = [&] { return present_saved(directory, request); },
                           .live = live.get()});
}

void check_live_page(const RunRequest& request) {
  port_of(request.port);
  if (!request.port.empty() && !request.live) {
    throw Error(Error::Parts{
        "--port " + request.port, "says nothing without --live", "nothing else listens", "--live"});
  }
  if (request.live && request.dry_run) {
    throw Error(Error::Parts{"--live", "does not go with -n", "nothing runs", "without -n"});
  }
}

ExitCode run_command(const RunRequest& request) {
  check_wish(request.outputs);
  check_live_page(request);
  if (request.file.empty() && request.resume.empty()) {
    throw Error(Error::Parts{"tune run",
                             "names no scenario",
                             "there is nothing to measure",
                             "tune run scenarios/resnet18.yaml"});
  }
  if (!request.resume.empty()) {
    if (request.dry_run) {
      throw Error(Error::Parts{"-n",
                               "does not go with --resume",
                               "the plan of a run that has begun is in its report",
                               "tune report " + request.resume + " --format text"});
    }
    if (!request.output.empty()) {
      throw Error(Error::Parts{
          "-o " + request.output, "does not go with --resume", "a run stays where it is", ""});
    }
    std::error_code failed;
    const auto directory = std::filesystem::weakly_canonical(request.resume, failed);
    if (failed) {  // a name that is too long, links in a circle, no right to look
      throw Error(
          Error::Parts{"--resume " + request.resume, "cannot be read", failed.message(), ""});
    }
    return measure(request, directory);
  }
  const scenario::Scenario scenario = read_with_overrides(request.file, request.overrides);
  rules_of(scenario, request.rules);  // what is wrong with them is told before anything runs
  if (leaves_no_cell(scenario, request.file)) {
    return ExitCode::nothing_matched;
  }
  if (request.dry_run) {
    return show_plan(scenario,
                     {.as_json = request.as_json, .budget_source = request.budget_source});
  }
  return measure(request, choose_run_directory(request, scenario.name, utc_now()));
}

struct Flags {
  RunRequest request;
  ScenarioFlags scenario;

  RunRequest read(const Invocation& invocation) {
    request.quiet = invocation.quiet;
    request.words = invocation.words;
    request.overrides = scenario.overrides();
    request.budget_source = scenario.budget_source();
    if (!request.quiet) {
      tell_environment(scenario);
    }
    for (const std::string& assignment : request.overrides) {
      if (assignment.starts_with("budget=")) {  // the flag stands behind --set
        scenario::Scenario checked;
        campaign::apply_override(checked, assignment);
        request.budget_ns = checked.budget_ns;
      }
    }
    request.color = invocation.color;
    request.plain_progress = invocation.plain_progress;
    return request;
  }
};

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"run",
       "Measures and records the baseline, asks the rules what limits it, and searches the grid of "
       "a "
       "scenario with what they propose first, each trial in a fresh process; then the best cells, "
       "the baseline and the proposals on top of one another in fresh rounds, which alone make the "
       "verdicts. Writes result.json, report.md and report.html into the run directory.",
       {"tune run scenarios/resnet18.yaml",
        "tune run --resume tune-runs/latest",
        "tune run scenarios/resnet18.yaml --exhaustive"}});
  const auto flags = std::make_shared<Flags>();
  RunRequest& request = flags->request;
  command.add_option("FILE", request.file, "Scenario; not needed with --resume");
  command.add_flag("-n,--dry-run", request.dry_run, "Show the plan, run nothing");
  add_scenario_flags(command, flags->scenario);
  command.add_option("--resume", request.resume, "Go on with a run that was cut short")
      ->type_name("DIR");
  command.add_option("--rules", request.rules, "Folder of your own rules (*.yaml)")
      ->type_name("DIR");
  command.add_option("-o,--output", request.output, "Run directory instead of tune-runs/...")
      ->type_name("DIR");
  command.add_flag("--fail-fast",
                   request.fail_fast,
                   "The first trial that fails ends the run; one that wants too much memory does "
                   "not");
  command.add_flag(
      "--live",
      request.live,
      "Shows the run on a page that fills up, on 127.0.0.1; its address is on standard "
      "error");
  command.add_option("--port", request.port, "Of --live, default any that is free")->type_name("N");
  command.add_flag("--json", request.as_json, "The summary of result.json on standard output");
  add_output_flags(command, request.outputs);
  command.callback([&invocation, flags] {
    invocation.run = [&invocation, flags] { return run_command(flags->read(invocation)); };
  });
}

}  // namespace tune::cli
