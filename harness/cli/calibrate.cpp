#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/gate_request.h"
#include "cli/gate_sitting.h"
#include "cli/machine_lock.h"
#include "cli/open_gate.h"
#include "machine/user_folders.h"
#include "measure/gate/run_calibration.h"
#include "report/calibration_text.h"

#include <CLI/App.hpp>

#include <iostream>
#include <memory>

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
      throw Error(Error::Parts{"--inject " + text,
                               "is not a list of slowdowns",
                               "each above 0 and at most 100%",
                               "1%,5%"});
    }
    ratios.push_back(*ratio);
    begin = comma + 1;
  }
  return ratios;
}

ExitCode store(gate::Calibration& calibration, const gate::GateResult& record, bool as_json) {
  calibration.scenario = record.run.scenario.name;
  calibration.utc = record.run.started_utc;
  const auto file = gate::calibration_file(machine::data_folder(), calibration.key);
  machine::make_private_folder(file.parent_path());
  const std::string json = gate::to_json(calibration);
  (void)gate::parse_calibration(json, file.string());  // never replaced by what nobody could read
  write_file_synced(file, json);
  write_file_synced(record.run.directory / "result.json",
                    report::to_calibration_result(record, calibration));
  const std::string text = report::calibration_text(calibration);
  write_file_synced(record.run.directory / "report.md",
                    "## tune calibrate: " + calibration.scenario + "\n\n```\n" + text + "```\n");
  std::cout << (as_json ? json : text + "stored:           " + file.string() + "\n") << std::flush;
  return ExitCode::fine;
}

ExitCode calibrate_command(Flags& flags) {
  flags.plan.injected_ratios = read_ratios(flags.inject);
  const GateSources sources = read_gate_sources(flags.request);
  gate::GateResult record = read_gate_request(flags.request, sources);
  if (record.run.scenario.workload.script.exists() && !flags.plan.injected_ratios.empty()) {
    throw Error(Error::Parts{"--inject " + flags.inject,
                             "does not go with a script",
                             "nobody can slow its steps down",
                             "--inject none"});
  }
  flags.plan.min_effect_ratio = record.policy.min_effect_ratio;
  name_run(record, flags.request, "-calibrate");
  if (flags.request.plan_only) {
    std::cout << "would measure " << flags.plan.launches << " equal launches of "
              << record.run.scenario.name << ", and " << flags.plan.injected_launches
              << " of each slowdown ("
              << (flags.plan.injected_ratios.empty() ? "none" : flags.inject) << "), into "
              << typed_path(record.run.directory) << "\n";
    return ExitCode::fine;
  }
  const auto lock = lock_machine(record.run.directory, flags.request.waits);
  if (!lock) {
    return ExitCode::not_available;
  }
  GateSitting sitting(record, flags.request);
  if (!sitting.prepare(sources)) {
    return sitting.interruption().exit_code();
  }
  gate::CalibrationRun run;
  const gate::CalibrationKey key =
      gate::calibration_key(record.run.machine, record.run.scenario.sha256, record.candidate.spec);
  sitting.measure(
      sources,
      std::to_string(flags.plan.launches) + " equal launches",
      [&](const gate::GateLoop& loop) { run = gate::run_calibration(record, flags.plan, loop); });
  if (run.is_complete) {
    run.calibration.key = key;
    return store(run.calibration, record, flags.as_json);
  }
  std::cerr << "the calibration ended early: " << run.end_reason << "; nothing was stored\n";
  if (sitting.interruption().asked()) {
    return sitting.interruption().exit_code();
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
  command.add_flag(
      "-n,--dry-run", flags->request.plan_only, "Say what would be measured, run nothing");
  add_wait_flag(command, flags->request.waits);
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
  command.add_option("--set", flags->request.sets, "Change a knob, or device, slices, slice, ...")
      ->type_name("KEY=VALUE")
      ->take_all();
  command.add_option("--seed", flags->request.seed, "Seed of the random order of launches")
      ->type_name("N");
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
