#pragma once

#include "runner/worker_process.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

namespace tune::runner {

/// What a worker did that was asked for something else than a trial.
struct ProgramRun {
  ProcessEnd end;
  bool was_late = false, was_stopped = false;  ///< killed for it
  std::string output;                          ///< its last 2 KiB

  /// "" when it ended with exit code 0; else why it did not: "exit code 2: usage: ...".
  std::string problem() const;
};

/// Runs `<program> <argument>` in a process group of its own, as a trial is run, and waits for its
/// end. `stop` (may be null): not 0 kills it. Throws tune::Error when it cannot be started.
ProgramRun run_program(const std::filesystem::path& program,
                       const std::string& argument,
                       std::int64_t timeout_ns,
                       const std::atomic<int>* stop);

}  // namespace tune::runner
