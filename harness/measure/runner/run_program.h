#pragma once

#include "measure/runner/worker_process.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace tune::runner {

/// What a program did that was asked for something else than a trial.
struct ProgramRun {
  ProcessEnd end;
  bool was_late = false, was_stopped = false;  ///< killed for it
  std::string output;                          ///< its last bytes, as many as were asked for
  std::string answer;                          ///< of its second pipe, at most 1 MiB of its end

  /// "" when it ended with exit code 0; else why it did not: "exit code 2: usage: ...".
  std::string problem() const;
};

/// A program to run, and for how long.
struct ProgramCall {
  ProcessCommand command;
  std::int64_t timeout_ns = 0;
  const std::atomic<int>* stop = nullptr;  ///< not 0 kills it; may be null
  std::size_t output_bytes = 2048;         ///< of the end of its output that are kept
  std::function<void()> on_tick;           ///< called some times a second; may be empty
};

/// Runs it in a process group of its own, and waits for its end. What it leaves behind, also in
/// other groups, is killed. Throws tune::Error when it cannot be started.
ProgramRun run_program(const ProgramCall& call);

/// Runs `<program> <argument>` as a trial is run, with a worker's environment. Throws tune::Error
/// also when it needs a LibTorch that is missing.
ProgramRun run_program(const std::filesystem::path& program,
                       const std::string& argument,
                       std::int64_t timeout_ns,
                       const std::atomic<int>* stop,
                       std::size_t output_bytes = 2048);

/// Starts `program argument`, found in PATH, in a session of its own that no signal of ours
/// reaches, without input and output, and does not wait for it. Why it could not be started; ""
/// when it was.
std::string start_detached(const std::string& program, const std::string& argument);

}  // namespace tune::runner
