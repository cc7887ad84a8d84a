#pragma once

#include "cli/command_options.h"
#include "cli/worker_curve.h"
#include "machine/machine_facts.h"
#include "measure/runner/trial_outcome.h"
#include "scenario/scenario.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// A script as it ran once, unchanged, and the machine on which it did.
struct ObservedScript {
  machine::MachineFacts machine;
  trial::Workload workload;  ///< with its script, and what was seen of it
  trial::TrialReply reply;
  std::int64_t setup_ns = 0;                ///< from its start to its first step
  std::int64_t settling_ns = 0;             ///< what its warm-up took longer than later steps
  std::optional<WorkerCosts> worker_costs;  ///< of the loader that feeds it

  /// torch.compile compiles in the first steps: a warm-up that takes this much longer than its
  /// steps do later is a part of what every trial costs. Our own cut, above what caches need to
  /// fill.
  bool compiles_first() const {
    constexpr std::int64_t kLeastNs = 3'000'000'000;
    return settling_ns > std::max(kLeastNs, setup_ns / 2);
  }
  std::int64_t every_trial_ns() const { return setup_ns + (compiles_first() ? settling_ns : 0); }
};

/// Runs one trial of a script, and tells where it is as long as it has made no step, unless
/// `quiet`. The outcome has a reply with what was seen. Throws tune::Error with the script's own
/// words where it fails or never trains, PreparationInterrupted where somebody asks for its end.
runner::TrialOutcome look_once(const trial::TrialSpec& spec, bool quiet);

/// Runs the script of the workload for a few steps and looks. What is seen is said on standard
/// error unless `quiet`. Throws tune::Error with the script's own words where it fails or never
/// trains, PreparationInterrupted where somebody asks for its end. `timeout_ns`: for its whole
/// trial.
ObservedScript observe_script(const trial::Workload& workload, std::int64_t timeout_ns, bool quiet);

/// The workload of a command that was typed, in the current folder, which is shielded from what it
/// writes unless somebody does not want that.
trial::Workload workload_of(const std::vector<std::string>& command, const CommandOptions& options);

/// Throws tune::Error where the folder in which a scenario starts its script does not exist.
void expect_script_folder(const scenario::Scenario& scenario);

/// Where `file` ("-": standard input) holds a script that nobody has looked at: looks, and adds
/// what was seen to the text that later readers of the file get (standard_streams.h).
void observe_if_needed(const std::string& file, bool quiet);

}  // namespace tune::cli
