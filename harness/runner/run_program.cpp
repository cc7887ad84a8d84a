#include "runner/run_program.h"

#include "base/monotonic_clock.h"
#include "runner/worker_environment.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <unistd.h>

namespace tune::runner {

namespace {

constexpr std::size_t kTailBytes = 2048;

// What is there now, without waiting; only the end of it is kept.
void take_output(WorkerProcess& process, std::string& tail) {
  std::array<char, 4096> block{};
  while (process.output() >= 0) {
    const ssize_t got = read(process.output(), block.data(), block.size());
    if (got > 0) {
      tail.append(block.data(), static_cast<std::size_t>(got));
      tail.erase(0, tail.size() > kTailBytes ? tail.size() - kTailBytes : 0);
    } else if (got == 0) {
      process.close_output();
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace

std::string ProgramRun::problem() const {
  if (was_stopped || was_late) {
    return was_stopped ? "it was stopped" : "it took too long";
  }
  std::string why = end.signal ? "signal " + std::to_string(*end.signal)
                               : "exit code " + std::to_string(end.exit_code);
  if (!end.signal && end.exit_code == 0) {
    return "";
  }
  const std::string said = output.substr(0, output.find('\n'));
  if (!said.empty()) {
    why += ": " + said;
  }
  return why;
}

ProgramRun run_program(const std::filesystem::path& program,
                       const std::string& argument,
                       std::int64_t timeout_ns,
                       const std::atomic<int>* stop) {
  constexpr int kLookMs = 20;
  const std::int64_t deadline_ns = monotonic_ns() + timeout_ns;
  WorkerProcess process(
      std::filesystem::absolute(program), argument, worker_environment(environ).variables);
  ProgramRun run;
  while (!process.ended()) {
    pollfd source{process.output(), POLLIN, 0};
    poll(&source, 1, kLookMs);
    take_output(process, run.output);
    run.was_stopped = run.was_stopped || (stop != nullptr && stop->load() != 0);
    run.was_late = run.was_late || monotonic_ns() >= deadline_ns;
    if (run.was_stopped || run.was_late) {
      process.signal_group(SIGKILL);
    }
  }
  run.end = process.reap();
  take_output(process, run.output);
  return run;
}

}  // namespace tune::runner
