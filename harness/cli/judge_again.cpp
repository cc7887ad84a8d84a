#include "cli/judge_again.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/answer.h"
#include "cli/choose_baseline.h"
#include "cli/gate_request.h"
#include "cli/gate_sitting.h"
#include "cli/machine_lock.h"
#include "cli/open_run.h"
#include "cli/present_gate.h"
#include "measure/gate/fingerprint.h"
#include "measure/gate/gate_ledger.h"
#include "measure/gate/recorded_gate.h"
#include "measure/gate/run_gate.h"
#include "measure/gate/run_process.h"
#include "scenario/scenario.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// How to measure does not matter where nothing is measured.
void check_flags(const GateRequest& request) {
  const std::array<std::pair<const char*, bool>, 11> measuring = {
      {{"--set", !request.sets.empty()},
       {"--against", !request.against.empty()},
       {"--anchor", !request.anchor.empty()},
       {"--anchor-budget", !request.anchor_budget.empty()},
       {"--time", !request.max_time.empty()},
       {"--slices", request.slices.has_value()},
       {"--seed", !request.seed.empty()},
       {"--inject", !request.inject.empty()},
       {"--skip-equal", request.skip_equal},
       {"--rebuild", request.rebuild},
       {"--dry-run", request.plan_only}}};
  for (const auto& [flag, is_given] : measuring) {
    if (is_given) {
      throw Error(Error::Parts{flag,
                               "does not go with --run",
                               "nothing is measured, what is there is judged",
                               std::string(flag).starts_with("--anchor")
                                   ? "the gate against an anchor is in anchor/ of that folder"
                                   : "without it"});
    }
  }
}

fs::path place_of(const std::string& run) {
  std::error_code failed;
  fs::path directory = fs::weakly_canonical(run, failed);
  if (failed) {
    throw_failed_call("--run " + run, "cannot be read", failed.value());
  }
  return directory;
}

// What FILE says today must be about what was measured then: only its `gate:` may have changed, and
// what does not decide what is measured.
scenario::GateSection section_of(const std::string& file, const scenario::Scenario& measured) {
  const scenario::Scenario now = scenario::load_scenario(file);
  const auto refuse = [&](const std::string& why) {
    throw gate::Incomparable(
        Error::Parts{file, "is not what was measured", why, "without FILE it is judged as then"});
  };
  if (now.name != measured.name) {
    refuse("that was the scenario " + measured.name);
  }
  // Both as if they lay where it lay then, for the sake of paths.
  const scenario::Scenario before = scenario::read_scenario(measured.text, measured.file);
  const scenario::Scenario after = scenario::read_scenario(now.text, measured.file);
  if (before.workload != after.workload || before.data != after.data ||
      before.baseline != after.baseline) {
    refuse("workload, data or baseline are others");
  }
  return now.gate;
}

bool same_rules(const gate::GateResult& a, const gate::GateResult& b) {
  return a.policy.budgets == b.policy.budgets && a.policy.structural == b.policy.structural &&
         a.policy.min_effect_ratio == b.policy.min_effect_ratio &&
         a.policy.structural_only == b.policy.structural_only && a.looks.pairs == b.looks.pairs &&
         a.baseline_name == b.baseline_name;
}

fs::path directory_for(const GateRequest& request, const fs::path& run) {
  if (!request.output.empty()) {
    RunRequest place;
    place.output = request.output;
    return choose_run_directory(place, "", "");
  }
  std::error_code failed;
  for (int i = 1;; ++i) {
    fs::path wanted = run / ("judged-" + std::to_string(i));
    if (!fs::exists(wanted, failed)) {
      return wanted;
    }
  }
}

// The baseline is a stored one, whatever it was then.
void take_stored_name(const GateRequest& request, gate::GateResult& result) {
  result.baseline_name = request.baseline;
  result.baseline_is_file = request.baseline_is_file;
  result.baseline.commit.clear();
  result.baseline.files.clear();
  result.baseline.is_own_setting = result.sides_are_equal = false;
}

// From the start of the first process to the end of the last, as measured.
std::int64_t time_of(const gate::GateResult& result) {
  std::int64_t begin = 0, end = 0;
  for (const campaign::TrialRecord& trial : result.run.trials) {
    begin = begin == 0 ? trial.outcome.start_ns : std::min(begin, trial.outcome.start_ns);
    end = std::max(end, trial.outcome.end_ns);
  }
  return end - begin;
}

}  // namespace

ExitCode judge_again(GateRequest request) {
  check_flags(request);
  const fs::path directory = place_of(request.run);
  const gate::RecordedGate recorded = gate::read_recorded_gate(directory);
  const gate::GateResult& plan = recorded.plan;
  if (!request.baseline.empty()) {
    choose_stored_baseline(request);
  } else if (recorded.is_run) {
    throw Error(Error::Parts{"--run " + request.run,
                             "is the directory of a run",
                             "it has one side only",
                             "tune gate --run " + request.run + " --baseline NAME"});
  } else {
    request.baseline = plan.baseline_name;
    request.baseline_is_file = plan.baseline_is_file;
  }
  request.structural_only = request.structural_only || plan.policy.structural_only;
  gate::GateResult result = plan;
  const bool is_as_then = request.file.empty() && !recorded.is_run;
  result.policy =
      is_as_then ? changed_policy(request, plan.policy)
                 : read_policy(request,
                               request.file.empty() ? plan.run.scenario.gate
                                                    : section_of(request.file, plan.run.scenario));
  result.policy.max_time_ns.reset();
  result.looks = gate::look_schedule(result.policy);
  if (!request.baseline.empty()) {
    take_stored_name(request, result);
  }
  find_calibration(result);
  const auto stored = find_stored(result, request);
  result.after_the_fact = {.directory = directory.string(),
                           .started_utc = plan.run.started_utc,
                           .is_run = recorded.is_run,
                           .other_policy = !recorded.is_run && !same_rules(result, plan)};
  result.run.command = request.words;
  result.run.directory = directory_for(request, directory);
  make_folders(result.run.directory, "another -o DIR");
  const campaign::DirectoryLock lock = lock_directory(result.run.directory);
  gate::GateLedger ledger(result.run.directory, result);
  const auto display = make_quiet_gate_display();
  gate::run_gate(result,
                 {.ledger = ledger,
                  .watcher = *display,
                  .now_ns = [] { return std::int64_t{0}; },
                  .utc = utc_now,
                  .recording = &recorded},
                 stored ? &*stored : nullptr);
  result.run.elapsed_ns = time_of(result);
  if (!request.quiet) {
    std::cerr << "judged what " << short_path(directory) << " holds; nothing was measured\n";
  }
  return present_gate(result, request);
}

}  // namespace tune::cli
