#include "base/error.h"
#include "base/file.h"
#include "cli/add_command.h"
#include "cli/choose_baseline.h"
#include "cli/commands.h"
#include "cli/failed_build.h"
#include "cli/gate_accept.h"
#include "cli/gate_answer.h"
#include "cli/gate_request.h"
#include "cli/gate_sitting.h"
#include "cli/keep_history.h"
#include "cli/machine_lock.h"
#include "cli/open_gate.h"
#include "cli/revision_sides.h"
#include "cli/step_summary.h"
#include "cli/trial_machine.h"
#include "gate/calibration.h"
#include "gate/equal_sides.h"
#include "gate/fingerprint.h"
#include "gate/incomparable.h"
#include "gate/run_gate.h"
#include "gate/stored_baseline.h"
#include "machine/user_folders.h"
#include "report/gate_files.h"
#include "report/gate_json.h"
#include "report/gate_markdown.h"
#include "report/number_text.h"
#include "revision/failure.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstddef>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

namespace tune::cli {

namespace {

constexpr const char* kUncalibrated =
    "uncalibrated: `tune calibrate` would tell what this machine can detect";
constexpr const char* kOtherSettings =
    "uncalibrated with these settings: `tune calibrate` with the same --set would tell what this "
    "machine can detect";

ExitCode present(const gate::GateResult& result, const GateRequest& request) {
  report::write_gate_reports(result);
  note_in_history(result.run.directory);
  append_step_summary([&](std::size_t) { return report::to_gate_markdown(result); });
  write_wished(request.outputs,
               report::read_stored_result(report::to_gate_json(result), "result.json"),
               result.run.directory);
  std::cout << (request.as_json ? report::gate_summary_json(result)
                                : gate_answer(result, look_at(STDOUT_FILENO, request.color)))
            << std::flush;
  return gate::exit_code(result);
}

std::string greeting(const gate::GateResult& result) {
  return result.candidate.words + " against " + result.baseline.words;
}

// Before anything is measured: what cannot be compared need not be.
std::optional<gate::StoredSide> find_stored(gate::GateResult& result, const GateRequest& request) {
  if (request.baseline.empty()) {
    return std::nullopt;
  }
  const gate::StoredBaseline baseline =
      gate::load_baseline(machine::data_folder(), request.baseline);
  const gate::Fingerprint now = gate::fingerprint(
      result.run.machine, result.run.scenario.sha256, result.run.data.manifest_sha256);
  gate::StoredSide side = gate::usable_side(baseline, now, result.policy);
  const std::string& utc = baseline.recordings.back().utc;
  result.baseline.words = "stored baseline " + request.baseline + " of " + utc;
  const auto days = gate::days_between(utc, result.run.started_utc);
  if (days && *days > gate::kOldAfterDays) {
    result.run.warnings.push_back("baseline " + request.baseline + " is " + std::to_string(*days) +
                                  " days old: machines change, record it anew");
  }
  const std::string change = gate::model_change(baseline, result.candidate.spec.workload.own);
  if (!change.empty()) {
    result.run.warnings.push_back(change);
  }
  result.run.warnings.push_back(
      "the baseline was not measured again: what changed on the machine since " + utc +
      " counts against the candidate");
  return side;
}

// A stored calibration says what this machine can detect: less than that is no budget to enforce.
std::optional<gate::Calibration> find_calibration(gate::GateResult& result) {
  const gate::CalibrationKey key =
      gate::calibration_key(result.run.machine, result.run.scenario.sha256, result.candidate.spec);
  auto calibration = gate::load_calibration(machine::data_folder(), key);
  if (!calibration) {
    result.calibration =
        gate::has_other_calibration(machine::data_folder(), key) ? kOtherSettings : kUncalibrated;
    return std::nullopt;
  }
  result.calibrated_mde = gate::detectable(*calibration, result.policy);
  result.calibration = "calibrated " + calibration->utc + ": detectable " +
                       report::share_text(*result.calibrated_mde) + ", false alarms " +
                       gate::false_alarm_text(*calibration);
  for (const gate::Budget& budget : result.policy.budgets) {
    if (budget.metric != "peak_memory_bytes" && result.policy.mode == gate::Mode::enforce &&
        budget.ratio < *result.calibrated_mde) {
      throw Error(Error::Parts{
          "budget " + report::share_text(budget.ratio) + " of " + budget.metric,
          "is below what this machine can detect",
          "the calibration of " + calibration->utc + " says " +
              report::share_text(*result.calibrated_mde),
          "a larger --budget, --mode warn, more pairs (--looks), or a new tune calibrate"});
    }
  }
  return calibration;
}

// Two equal sides measure the noise of the machine for free.
void add_to_calibration(const gate::GateResult& result, gate::Calibration calibration) {
  std::vector<double> differences;
  for (const gate::Pair& pair : result.pairs) {
    const auto a = pair.baseline.values.find("throughput");
    const auto b = pair.candidate.values.find("throughput");
    if (a != pair.baseline.values.end() && b != pair.candidate.values.end()) {
      differences.push_back(std::log(a->second / b->second));
    }
  }
  if (differences.empty()) {
    return;
  }
  if (result.end == gate::End::nothing_changed) {
    gate::add_equal_pairs(calibration, differences, result.policy.min_effect_ratio);
  } else {
    gate::add_equal_gate(calibration,
                         differences,
                         result.verdict == stats::GateVerdict::regressed,
                         result.policy.min_effect_ratio);
  }
  write_file_synced(gate::calibration_file(machine::data_folder(), calibration.key),
                    gate::to_json(calibration));
}

bool nothing_changed(const gate::GateResult& result) {
  return result.sides_are_equal && !result.candidate.commit.empty();
}

// Everything that follows once both sides can be started.
ExitCode judge(gate::GateResult& result,
               const GateRequest& request,
               const GateSources& sources,
               GateSitting& sitting) {
  const auto calibration = find_calibration(result);
  const auto stored = find_stored(result, request);
  if (result.sides_are_equal && request.skip_equal) {
    std::cerr << "both sides are the same: nothing to measure (--skip-equal)\n";
    return ExitCode::fine;
  }
  sitting.measure(sources, greeting(result), [&](const gate::GateLoop& loop) {
    if (nothing_changed(result)) {
      gate::conclude_equal_sides(
          result, loop, calibration.has_value() && !result.policy.structural_only);
    } else {
      gate::run_gate(result, loop, stored ? &*stored : nullptr);
    }
  });
  const bool is_whole = result.end == gate::End::judged || result.end == gate::End::nothing_changed;
  if (calibration && result.sides_are_equal && is_whole) {
    add_to_calibration(result, *calibration);
  }
  const ExitCode code = present(result, request);
  if (result.end == gate::End::interrupted) {
    std::cerr << "interrupted; what finished is saved in " << result.run.directory.string() << "\n";
    return sitting.interruption().exit_code();
  }
  return code;
}

ExitCode plan(const GateRequest& request, const std::optional<GateRevisions>& revisions) {
  gate::GateResult result = read_gate_request(
      request, revisions ? planned_sources(*revisions, request) : read_gate_sources(request));
  result.run.machine = machine_of_trials(result.run.scenario.workload);
  find_calibration(result);
  const bool is_stored = find_stored(result, request).has_value();
  std::cout << gate_plan(result, is_stored);
  return ExitCode::fine;
}

// One side is another scenario, another setting, or stored.
ExitCode gate_settings(const GateRequest& request) {
  const GateSources sources = read_gate_sources(request);
  gate::GateResult result = read_gate_request(request, sources);
  name_run(result, request, "-gate");
  const auto lock = lock_machine(result.run.directory);
  if (!lock) {
    return ExitCode::not_available;
  }
  GateSitting sitting(result, request);
  if (!sitting.prepare(sources)) {
    return sitting.interruption().exit_code();
  }
  return judge(result, request, sources, sitting);
}

// The sides are commits. Builds load the machine, so that its lock is taken before them.
ExitCode gate_revisions(const GateRequest& request, const GateRevisions& revisions) {
  gate::GateResult result;
  result.run.scenario.name = revisions.file.stem().string();
  name_run(result, request, "-gate");
  const auto lock = lock_machine(result.run.directory);
  const auto workshop =
      lock ? lock_workshop(workshop_folder(revisions), result.run.directory) : std::nullopt;
  if (!lock || !workshop) {
    return ExitCode::not_available;
  }
  GateSitting sitting(result, request);
  try {
    RevisionSides sides(revisions, request, sitting);
    const GateSources sources = sides.make();
    gate::GateResult read = read_gate_request(request, sources);
    read.run.directory = result.run.directory;
    read.run.started_utc = result.run.started_utc;
    result = std::move(read);
    sitting.begin_clock();
    if (!sitting.prepare(sources)) {
      return sitting.interruption().exit_code();
    }
    return judge(result, request, sources, sitting);
  } catch (const revision::BuildFailed& error) {
    return tell_failed_build(error, result, request);
  } catch (const revision::Stopped&) {
    std::cerr << "interrupted while commits were built; nothing was measured\n";
    return sitting.interruption().exit_code();
  }
}

ExitCode run_gate_command(GateRequest request) {
  if (request.file.empty()) {  // the parser cannot ask for it: `tune gate accept` has its own
    throw Error(Error::Parts{"tune gate", "FILE is required", "see `tune gate --help`", ""});
  }
  check_wish(request.outputs);
  if (request.plan_only && request.as_json) {
    throw Error(Error::Parts{"--json",
                             "does not go with --plan",
                             "what a gate can detect is text, the verdict is JSON",
                             "one of the two"});
  }
  const auto revisions = choose_baseline(request);
  if (request.plan_only) {
    return plan(request, revisions);
  }
  return revisions ? gate_revisions(request, *revisions) : gate_settings(request);
}

// What has no number is told apart by its exit code.
ExitCode gate_command(const GateRequest& request) {
  try {
    return run_gate_command(request);
  } catch (const revision::Unavailable& error) {
    std::cerr << error.what() << '\n';
    return ExitCode::incomparable;
  } catch (const gate::Incomparable& error) {
    std::cerr << error.what() << '\n';
    return ExitCode::incomparable;
  }
}

void add_flags(CLI::App& command, GateRequest& request) {
  command.add_option("FILE", request.file, "Scenario");
  command
      .add_option("--set",
                  request.sets,
                  "Change a knob of the candidate, or how both sides are measured: slices, ...")
      ->type_name("KEY=VALUE")
      ->take_all();
  command
      .add_option("--against", request.against, "Another scenario whose setting is the baseline")
      ->type_name("FILE");
  command
      .add_option("--baseline",
                  request.baseline,
                  "A revision of git: checked out, built and measured beside HEAD (without this "
                  "flag, the merge base with the main branch); or a stored baseline (tune baseline "
                  "set): only the candidate is measured. git:REF and stored:NAME say which")
      ->type_name("REF|NAME")
      ->check(
          [](const std::string& word) {  // a variable that is not set is no wish for the default
            return word.empty() ? std::string("names nothing") : std::string();
          });
  command.add_option("--metrics", request.metrics, "Gated metrics, e.g. epoch_time,throughput")
      ->type_name("LIST");
  command
      .add_option("--budget",
                  request.budget,
                  "How much worse is allowed: 3%, or epoch_time=3%,throughput=5%")
      ->type_name("SHARE");
  command.add_option("--min-effect", request.min_effect, "What is nobody's business: 1%")
      ->type_name("SHARE");
  command.add_option("--mode", request.mode, "enforce, warn or shadow: only enforce fails")
      ->check(CLI::IsMember({"enforce", "warn", "shadow"}));
  command.add_option("--inconclusive", request.inconclusive, "warn (exit 3), pass (0) or fail (1)")
      ->check(CLI::IsMember({"warn", "pass", "fail"}));
  command
      .add_option(
          "--max-time", request.max_time, "Wall time of the whole gate without builds, e.g. 10m")
      ->type_name("TIME");
  command.add_option("--looks", request.looks, "Pairs at each look, e.g. 10,16,24")
      ->type_name("LIST");
  command.add_option("--slices", request.slices, "Slices of each process")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  command.add_option("--seed", request.seed, "Of the order of processes")->type_name("N");
  command
      .add_option("--inject",
                  request.inject,
                  "Slow the candidate down by so much: a drill of the gate itself")
      ->type_name("SHARE");
  command.add_flag("--structural-only",
                   request.structural_only,
                   "Count operators, allocations and bytes of a step; time nothing");
  command.add_flag("--skip-equal", request.skip_equal, "Measure nothing when both sides are equal");
  command.add_flag("--rebuild", request.rebuild, "Build both commits anew, not from the cache");
  command.add_flag(
      "--plan", request.plan_only, "Wall time and smallest detectable effect; run nothing");
  command.add_option("-o,--output", request.output, "Run directory instead of tune-runs/...")
      ->type_name("DIR");
  command.add_flag("--json", request.as_json, "The verdict as JSON on standard output");
  add_output_flags(command, request.outputs);
  add_output_files(command, request.outputs);
}

}  // namespace

void add_gate(CLI::App& app, Invocation& invocation) {
  CLI::App& command = add_command(
      app,
      {"gate",
       "Measures candidate and baseline in pairs of fresh processes of random order and judges "
       "each "
       "gated metric: PASS, REGRESSED, IMPROVED or INCONCLUSIVE. Exit code 0, 1, 0, 3. Writes "
       "result.json, report.html, report.md (a comment on the change) and junit.xml. Without "
       "--baseline, "
       "--against, --inject or a knob of --set, a scenario that is committed in a clone of git is "
       "compared with itself at the merge base with the main branch, both commits built by its "
       "`workload.build`.",
       {"tune gate scenarios/mlp.yaml --set intra_op_threads=1",
        "tune gate new.yaml --against old.yaml --budget epoch_time=3%",
        "tune gate perf/training.yaml --baseline origin/main"}});
  const auto request = std::make_shared<GateRequest>();
  add_flags(command, *request);
  add_gate_accept(command, invocation);
  command.callback([&command, &invocation, request] {
    if (!command.get_subcommands().empty()) {
      return;  // which has said what to run
    }
    invocation.run = [&invocation, request] {
      request->quiet = invocation.quiet;
      request->words = invocation.words;
      request->color = invocation.color;
      return gate_command(*request);
    };
  });
}

}  // namespace tune::cli
