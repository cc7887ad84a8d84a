#pragma once

#include "runner/trial_outcome.h"
#include "trial/trial_spec.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tune::runner {

/// What a campaign needs of a trial; tests give their own.
using TrialRunner = std::function<TrialOutcome(const trial::TrialSpec&)>;

struct RunOptions {
  std::filesystem::path worker;  ///< program to start as `<worker> <folder>/spec.json`
  const std::atomic<int>* stop =
      nullptr;  ///< 0 = go on, 1 = stop this trial kindly, 2 = kill at once
  std::int64_t output_limit_bytes = 1 << 20;  ///< of stdout+stderr kept in <folder>/stderr.log
  std::function<void(const PhaseArrival&)>
      on_phase;                        ///< called on the calling thread; may be empty
  std::int64_t tick_ns = 500'000'000;  ///< how often on_tick is called while a trial runs
  std::function<void()> on_tick;       ///< status block, heartbeat; may be empty
};

/// Runs one trial in a fresh process group and waits for its end: writes <folder>/spec.json, starts
/// the worker with a clean environment (no LD_PRELOAD, LD_LIBRARY_PATH, injection variables),
/// enforces the deadline, captures the output, kills the whole group, classifies the end.
/// Throws tune::Error only when the folder cannot be written or the program cannot be started.
TrialOutcome run_trial(const trial::TrialSpec& spec, const RunOptions& options);

}  // namespace tune::runner
