#include "measure/runner/run_program.h"

#include "base/clock.h"
#include "machine/worker_torch.h"
#include "measure/runner/environment.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <unistd.h>

namespace tune::runner {

namespace {

constexpr std::size_t kAnswerBytes = 1 << 20;
constexpr int kBlocksAtOnce = 256;  // who writes without end must not keep us from looking up

void keep_end(std::string& text, std::size_t limit) {
  if (text.size() > limit) {
    text.erase(0, text.size() - limit);
  }
}

// What is there now, without waiting. False: nobody will write any more.
bool take(int descriptor, std::size_t limit, std::string& text) {
  std::array<char, 4096> block{};
  for (int i = 0; descriptor >= 0 && i < kBlocksAtOnce; ++i) {
    const ssize_t got = read(descriptor, block.data(), block.size());
    if (got > 0) {
      text.append(block.data(), static_cast<std::size_t>(got));
      if (text.size() > 2 * limit + block.size()) {  // seldom: what is kept has to be moved
        keep_end(text, limit);
      }
    } else if (got == 0) {
      return false;
    } else if (errno != EINTR) {
      return true;
    }
  }
  return true;
}

void take_both(WorkerProcess& process, std::size_t output_bytes, ProgramRun& run) {
  if (!take(process.output(), output_bytes, run.output)) {
    process.close_output();
  }
  if (!take(process.phases(), kAnswerBytes, run.answer)) {
    process.close_phases();
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

ProgramRun run_program(const ProgramCall& call) {
  constexpr int kLookMs = 20;
  const std::int64_t deadline_ns = monotonic_ns() + call.timeout_ns;
  WorkerProcess process(call.command);
  ProgramRun run;
  while (!process.ended()) {
    std::array<pollfd, 3> sources = {{{process.output(), POLLIN, 0},
                                      {process.phases(), POLLIN, 0},
                                      {process.ended_descriptor(), POLLIN, 0}}};
    poll(sources.data(), sources.size(), kLookMs);
    take_both(process, call.output_bytes, run);
    if (call.on_tick) {
      call.on_tick();
    }
    run.was_stopped = run.was_stopped || (call.stop != nullptr && call.stop->load() != 0);
    run.was_late = run.was_late || monotonic_ns() >= deadline_ns;
    if (run.was_stopped || run.was_late) {
      process.signal_group(SIGKILL);
    }
  }
  run.end = process.reap();
  take_both(process, call.output_bytes, run);
  keep_end(run.output, call.output_bytes);
  keep_end(run.answer, kAnswerBytes);
  return run;
}

ProgramRun run_program(const std::filesystem::path& program,
                       const std::string& argument,
                       std::int64_t timeout_ns,
                       const std::atomic<int>* stop,
                       std::size_t output_bytes) {
  const std::filesystem::path worker = std::filesystem::absolute(program);
  const auto folders = machine::torch_of_worker(worker).library_folders;
  return run_program({.command = {.program = worker.string(),
                                  .arguments = {argument},
                                  .environment = worker_environment(environ, folders).variables},
                      .timeout_ns = timeout_ns,
                      .stop = stop,
                      .output_bytes = output_bytes});
}

std::string start_detached(const std::string& program, const std::string& argument) {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::array<char*, 3> words = {
      const_cast<char*>(program.c_str()), const_cast<char*>(argument.c_str()), nullptr};
  pid_t process = -1;
  const int problem =
      posix_spawnp(&process, program.c_str(), &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return problem == 0 ? "" : std::strerror(problem);
}

}  // namespace tune::runner
