#pragma once

#include "machine/telemetry/recorder.h"
#include "measure/runner/phases.h"
#include "measure/runner/trial_outcome.h"
#include "trial/trial_spec.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace tune::runner {

/// What a campaign needs of a trial; tests give their own.
using TrialRunner = std::function<TrialOutcome(const trial::TrialSpec&)>;

struct RunOptions {
  std::filesystem::path worker;  ///< program to start as `<worker> <folder>/spec.json`
  /// 0 = continue, 1 = ask this trial to stop, 2 = kill it at once. Takes effect within 100 ms.
  const std::atomic<int>* stop = nullptr;
  std::int64_t output_limit_bytes = 1 << 20;  ///< of stdout+stderr kept in <folder>/stderr.log
  /// Called on the calling thread; may be empty.
  std::function<void(const PhaseArrival&)> on_phase;
  std::int64_t tick_ns = 500'000'000;     ///< how often on_tick is called while a trial runs
  std::function<void()> on_tick;          ///< status block, heartbeat; may be empty
  std::int64_t grace_ns = 1'000'000'000;  ///< between SIGTERM and SIGKILL
  /// How long phases may last, where that is not what phase_limits(spec) says.
  PhaseLimits phase_limits_ns;
  /// Records the machine meanwhile, into <folder>/telemetry.json; null: nobody does.
  telemetry::Recorder* telemetry = nullptr;
};

/// Runs one trial in a fresh process group and waits for its end: writes <folder>/spec.json, starts
/// the worker with a clean environment (no LD_PRELOAD, LD_LIBRARY_PATH but for the driver,
/// injection variables), enforces the deadlines, captures the output, kills the whole group,
/// classifies the end. Throws tune::Error only when the folder cannot be written or the program
/// cannot be started, and a MachineError when the machine kept it from its end: the trial says
/// nothing, and can be repeated. One at a time in a process: what a worker leaves behind is found
/// among our new children. The worker asks to die with the thread that called this.
TrialOutcome run_trial(const trial::TrialSpec& spec, const RunOptions& options);

}  // namespace tune::runner
