#include "base/error.h"
#include "base/file.h"
#include "base/monotonic_clock.h"
#include "base/units.h"
#include "campaign/run_lock.h"
#include "cli/add_command.h"
#include "cli/commands.h"
#include "cli/gate_display.h"
#include "cli/gate_request.h"
#include "cli/interruption.h"
#include "cli/open_gate.h"
#include "cli/open_run.h"
#include "cli/prepare_data.h"
#include "cli/run_request.h"
#include "cli/worker_program.h"
#include "gate/fingerprint.h"
#include "gate/run_calibration.h"
#include "machine/user_folders.h"
#include "report/calibration_text.h"
#include "runner/run_trial.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace tune::cli {

namespace {

struct Flags {
  GateRequest request;
  gate::CalibrationPlan plan;
  std::string inject = "1%,2%,3%,5%,10%";
  bool as_json = false;
};

std::vector<double> read_ratios(const std::string& text) {
  std::vector<double> ratios;
  std::size_t begin = 0;
  while (!text.empty() && text != "none" && begin <= text.size()) {
    const auto comma = std::min(text.find(',', begin), text.size());
    const auto ratio = parse_ratio(text.substr(begin, comma - begin));
    if (!ratio || *ratio <= 0 || *ratio > 1) {
      throw Error(Error::Parts{
          "--inject " + text, "is no list of slowdowns", "each above 0 and at most 100%", "1%,5%"});
    }
    ratios.push_back(*ratio);
    begin = comma + 1;
  }
  return ratios;
}

gate::CalibrationRun measure(gate::GateResult& record,
                             const Flags& flags,
                             const std::filesystem::path& worker,
                             const Interruption& interruption,
                             GateDisplay& display) {
  gate::GateLedger ledger(record.run.directory, record);
  runner::RunOptions options;
  options.worker = worker;
  options.stop = &interruption.level();
  options.on_phase = [&](const auto& arrival) { display.phase_began(arrival.phase); };
  options.on_tick = [&] { display.tick(); };
  const gate::GateLoop loop{
      .ledger = ledger,
      .watcher = display,
      .run_trial = [&](const auto& spec) { return runner::run_trial(spec, options); },
      .now_ns = monotonic_ns,
      .utc = utc_now,
      .stop = options.stop,
      .start_ns = monotonic_ns()};
  return gate::run_calibration(record, flags.plan, loop);
}

ExitCode store(gate::Calibration& calibration, const gate::GateResult& record, bool as_json) {
  calibration.scenario = record.run.scenario.name;
  calibration.scenario_sha256 = record.run.scenario.sha256;
  calibration.machine = gate::machine_id(record.run.machine);
  calibration.utc = record.run.started_utc;
  const auto file = gate::calibration_file(
      machine::data_folder(), calibration.machine, calibration.scenario_sha256);
  machine::make_private_folder(file.parent_path());
  write_file_synced(file, gate::to_json(calibration));
  write_file_synced(record.run.directory / "result.json",
                    report::to_calibration_result(record, calibration));
  const std::string text = report::calibration_text(calibration);
  write_file_synced(record.run.directory / "report.md",
                    "## tune calibrate: " + calibration.scenario + "\n\n```\n" + text + "```\n");
  std::cout << (as_json ? gate::to_json(calibration)
                        : text + "stored:           " + file.string() + "\n")
            << std::flush;
  return ExitCode::fine;
}

ExitCode calibrate_command(Flags& flags) {
  flags.plan.injected_ratios = read_ratios(flags.inject);
  gate::GateResult record = read_gate_request(flags.request);
  flags.plan.min_effect_ratio = record.policy.min_effect_ratio;
  record.run.started_utc = utc_now();
  RunRequest place;
  place.output = flags.request.output;
  record.run.directory =
      choose_run_directory(place, record.run.scenario.name + "-calibrate", record.run.started_utc);
  std::string holder;
  const auto lock =
      campaign::RunLock::take(machine::runtime_folder(), record.run.directory, holder);
  if (!lock) {
    std::cerr << "another tune run measures on this machine (" << holder
              << "); two at once would disturb each other: wait for it, or stop it\n";
    return ExitCode::not_available;
  }
  std::signal(SIGPIPE, SIG_IGN);
  const std::filesystem::path worker = find_worker_program();
  const Interruption interruption;
  const auto display = flags.request.quiet ? make_quiet_gate_display() : make_gate_display();
  try {
    prepare_gate(record, flags.request, worker, [&](const std::string& what) {
      if (interruption.asked()) {
        throw PreparationInterrupted();
      }
      display->show_preparation(what);
    });
  } catch (const PreparationInterrupted&) {
    std::cerr << "interrupted while the data were made; nothing was run\n";
    return interruption.exit_code();
  }
  make_run_directory(record.run.directory);
  display->say(record.run.scenario.name + ": " + std::to_string(flags.plan.launches) +
               " equal launches, run directory " + record.run.directory.string());
  gate::CalibrationRun run = measure(record, flags, worker, interruption, *display);
  if (run.is_complete) {
    return store(run.calibration, record, flags.as_json);
  }
  std::cerr << "the calibration ended early: " << run.end_reason << "; nothing was stored\n";
  if (interruption.asked()) {
    return interruption.exit_code();
  }
  return run.end_reason.starts_with("no-steady-state") ? ExitCode::inconclusive
                                                       : ExitCode::negative_verdict;
}

}  // namespace

void add_calibrate(CLI::App& app, Invocation& invocation) {
  CLI::App& command =
      add_command(app,
                  {"calibrate",
                   "Finds out what gates of this scenario can see on this machine: launches equal "
                   "processes, and some that are slowed down on purpose. Stores the noise, the "
                   "smallest detectable effect, a budget and how many false alarms to expect.",
                   {"tune calibrate scenarios/mlp.yaml",
                    "tune calibrate scenarios/mlp.yaml --launches 60 --inject 5%"}});
  const auto flags = std::make_shared<Flags>();
  command.add_option("FILE", flags->request.file, "Scenario")->required();
  command.add_option("--launches", flags->plan.launches, "Equal launches (40)")
      ->type_name("N")
      ->check(CLI::Range(8, 10'000));
  command.add_option("--inject", flags->inject, "Slowdowns, e.g. 1%,5%; none")->type_name("LIST");
  command
      .add_option("--injected-launches",
                  flags->plan.injected_launches,
                  "Launches of each slowdown (10: fewer cannot be judged)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000));
  command.add_option("--set", flags->request.sets, "Change a knob, or slices, slice, ...")
      ->type_name("KEY=VALUE")
      ->take_all();
  command.add_option("--seed", flags->request.seed, "Of the order of launches")->type_name("N");
  command
      .add_option("-o,--output", flags->request.output, "Run directory instead of tune-runs/...")
      ->type_name("DIR");
  command.add_flag("--json", flags->as_json, "The calibration as JSON on standard output");
  command.callback([&invocation, flags] {
    invocation.run = [&invocation, flags] {
      flags->request.quiet = invocation.quiet;
      flags->request.words = invocation.words;
      return calibrate_command(*flags);
    };
  });
}

}  // namespace tune::cli
