#include "base/error.h"
#include "base/monotonic_clock.h"
#include "base/units.h"
#include "campaign/load_campaign.h"
#include "campaign/overrides.h"
#include "campaign/run_damage.h"
#include "campaign/run_trials.h"
#include "campaign/summarise.h"
#include "cli/add_command.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/machine_lock.h"
#include "cli/open_run.h"
#include "cli/prepare_data.h"
#include "cli/probe_facts.h"
#include "cli/run_display.h"
#include "cli/run_profiles.h"
#include "cli/run_rules.h"
#include "cli/run_request.h"
#include "cli/scenario_flags.h"
#include "cli/show_plan.h"
#include "cli/worker_program.h"
#include "machine/machine_facts.h"
#include "report/write_reports.h"
#include "runner/run_trial.h"
#include "scenario/cell.h"
#include "telemetry/recorder.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

std::unique_ptr<RunDisplay> make_display(const RunRequest& request) {
  if (request.quiet) {
    return make_quiet_display();
  }
  const bool block = look_at(STDERR_FILENO, request.color).is_terminal && !request.plain_progress;
  return block ? make_status_block(request.color) : make_progress_lines();
}

// Reports first, then what a person reads; the result is what the files say.
ExitCode present(const std::filesystem::path& directory, const RunRequest& request) {
  campaign::CampaignResult result = campaign::load_campaign(directory);
  read_profiles(result);
  keep_probe(result);
  ask_rules(result, request.rules);
  report::write_reports(result);
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

struct Sitting {
  const RunRequest& request;
  const std::filesystem::path& worker;
  const Interruption& interruption;
  RunDisplay& display;
  std::string utc;
  std::int64_t start_ns;
};

// Runs what is missing and notes why it ended. Returns that.
std::string sit(OpenRun& open, const Sitting& sitting) {
  runner::RunOptions options;
  options.worker = sitting.worker;
  options.stop = &sitting.interruption.level();
  options.on_phase = [&](const auto& arrival) { sitting.display.phase_began(arrival.phase); };
  options.on_tick = [&] { sitting.display.tick(); };
  telemetry::RecorderOptions recorded;
  if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
    recorded.visible_devices = visible;
  }
  telemetry::Recorder recorder(std::move(recorded));
  options.telemetry = &recorder;

  campaign::Sitting record;
  record.started_utc = sitting.utc;
  record.start_ns = sitting.start_ns;
  record.budget_ns =
      sitting.request.budget_ns ? sitting.request.budget_ns : open.run.scenario.budget_ns;
  open.ledger.begin_sitting(record);
  const campaign::TrialLoop loop{
      .ledger = open.ledger,
      .watcher = sitting.display,
      .run_trial = [&](const auto& spec) { return runner::run_trial(spec, options); },
      .now_ns = monotonic_ns,
      .stop = options.stop,
      .start_ns = sitting.start_ns,
      .budget_ns = record.budget_ns};
  record.end_reason = campaign::run_trials(open.run, loop);
  record.end_ns = monotonic_ns();
  open.ledger.end_sitting(record);
  sitting.display.close();
  return record.end_reason;
}

struct SittingEnd {
  std::string reason;
  std::optional<ExitCode> failed;  ///< set when it ended by an error, which has been told
};

// A disk that is full or a worker that is gone stops the run, a bug of ours (say, in the display)
// may too, but what finished is on disk. The ledger is not touched again, its last line may be half
// written.
SittingEnd try_to_sit(OpenRun& open, const Sitting& sitting) {
  const auto stopped = [&](const char* why, const char* and_then) {
    sitting.display.close();
    std::cerr << "the run stopped: " << why << "\nwhat finished is saved; " << and_then
              << resume_command(open.run.directory) << "\n";
  };
  try {
    return {sit(open, sitting), std::nullopt};
  } catch (const Error& error) {
    stopped(error.what(), "when that is mended, go on with: ");
    return {"", ExitCode::partial};
  } catch (const std::exception& error) {
    stopped((std::string("our bug: ") + error.what()).c_str(), "go on with: ");
    return {"", ExitCode::our_bug};
  }
}

std::string greeting(const OpenRun& open) {
  const auto cells = open.run.plan.cells.size();
  return open.run.scenario.name + ": " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") +
         ", " + std::to_string(open.run.scenario.rounds) + " rounds, run directory " +
         open.run.directory.string();
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
    if (campaign::summarise(*recorded).complete) {
      std::cerr << directory.string() << " is complete: nothing is left to run\n";
      return present_saved(directory, request);
    }
  }
  std::signal(SIGPIPE, SIG_IGN);  // whoever read the progress may go away; the run goes on
  const std::filesystem::path worker = find_worker_program();
  const Interruption interruption;
  const auto display = make_display(request);
  const RunInput input{request, worker, utc, [&](const std::string& what) {
                         if (interruption.asked()) {
                           throw PreparationInterrupted();
                         }
                         display->show_preparation(what);
                       }};
  try {
    OpenRun open =
        recorded
            ? resume_run(std::move(*recorded), input)
            : begin_run(read_with_overrides(request.file, request.overrides), directory, input);
    display->say(greeting(open));
    for (const std::string& damage : campaign::damage_warnings(open.run)) {
      display->say("warning: " + damage);
    }
    for (const auto& notes : {open.run.plan.notes, open.run.scenario.notes}) {
      for (const std::string& note : notes) {
        display->say("note: " + note);
      }
    }
    const auto end = try_to_sit(open, {request, worker, interruption, *display, utc, start_ns});
    if (end.failed) {
      return *end.failed;
    }
    if (end.reason == "interrupted") {  // also where standard output is a file
      std::cerr << "interrupted; what finished is saved. Go on with: "
                << resume_command(open.run.directory) << "\n";
    }
    const ExitCode code = present_saved(open.run.directory, request);
    return end.reason == "interrupted" ? interruption.exit_code() : code;
  } catch (const PreparationInterrupted&) {
    display->close();
    std::cerr << "interrupted while the data were made; nothing was run\n";
    return interruption.exit_code();
  }
}

ExitCode run_command(const RunRequest& request) {
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
    return show_plan(scenario, request.as_json);
  }
  return measure(request, choose_run_directory(request, scenario.name, utc_now()));
}

struct Flags {
  RunRequest request;
  ScenarioFlags scenario;
  std::string color = "auto", progress = "auto";

  RunRequest read(const Invocation& invocation) {
    request.quiet = invocation.quiet;
    request.words = invocation.words;
    request.overrides = scenario.overrides();
    for (const std::string& assignment : request.overrides) {
      if (assignment.starts_with("budget=")) {  // the flag stands behind --set
        scenario::Scenario checked;
        campaign::apply_override(checked, assignment);
        request.budget_ns = checked.budget_ns;
      }
    }
    request.color = color == "always"  ? ColorWish::always
                    : color == "never" ? ColorWish::never
                                       : ColorWish::automatic;
    request.plain_progress = progress == "never";
    return request;
  }
};

}  // namespace

void add_run(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"run",
       "Searches the grid of a scenario in rounds of random order, the baseline in each, each "
       "trial "
       "in a fresh process; then the best cells and the baseline in fresh rounds, which alone make "
       "the verdict. Writes result.json, report.md and report.html into the run directory.",
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
  command.add_flag("--json", request.as_json, "The summary of result.json on standard output");
  command.add_option("--progress", flags->progress, "auto, or never: plain lines")
      ->check(CLI::IsMember({"auto", "never"}));
  command.add_option("--color", flags->color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command.callback([&invocation, flags] {
    invocation.run = [&invocation, flags] { return run_command(flags->read(invocation)); };
  });
}

}  // namespace tune::cli
