#include "measure/runner/worker_process.h"

#include "base/assert.h"
#include "base/error.h"
#include "machine/processes.h"
#include "trial/worker_lines.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tune::runner {

namespace {

void close_one(int& descriptor) {
  if (descriptor >= 0) {
    close(descriptor);
    descriptor = -1;
  }
}

// A pipe whose ends lie above the descriptors that the worker gets, even when our own stdin or
// stdout is closed; otherwise laying them out for the worker would overwrite one by another.
struct Pipe {
  int read_end = -1, write_end = -1;

  bool open() {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      return false;
    }
    constexpr int kAbove = 10;
    read_end = fcntl(ends[0], F_DUPFD_CLOEXEC, kAbove);
    write_end = fcntl(ends[1], F_DUPFD_CLOEXEC, kAbove);
    close(ends[0]);
    close(ends[1]);
    return read_end >= 0 && write_end >= 0 && fcntl(read_end, F_SETFL, O_NONBLOCK) == 0;
  }
  void close_both() {
    close_one(read_end);
    close_one(write_end);
  }
};

// Some daemons ignore SIGCHLD, and hand that on. The kernel then reaps children by itself, and
// tells nobody how they ended.
void keep_ends_of_children() {
  struct sigaction now {};
  sigaction(SIGCHLD, nullptr, &now);
  if (now.sa_handler == SIG_IGN || (now.sa_flags & SA_NOCLDWAIT) != 0) {
    (void)std::signal(SIGCHLD, SIG_DFL);
  }
}

// posix_spawn's two descriptions of the child.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void lay_out(int output, int second, SecondPipe kind) {
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, kind == SecondPipe::answer ? second : output, 1);
    posix_spawn_file_actions_adddup2(&actions_, output, 2);
    int first_closed = 3;
    if (kind == SecondPipe::phases) {
      posix_spawn_file_actions_adddup2(&actions_, second, trial::kPhaseDescriptor);
      first_closed = trial::kPhaseDescriptor + 1;
    }
    posix_spawn_file_actions_addclosefrom_np(&actions_, first_closed);
  }

  void enter(const std::filesystem::path& folder) {
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }

  // A group of its own, and signals as a fresh login has them, whatever ours are.
  void detach() {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  int start(int& process, const ProcessCommand& command) const {
    std::vector<char*> words = pointers(command.arguments);
    words.insert(words.begin(), const_cast<char*>(command.program.c_str()));
    const std::vector<char*> variables = pointers(command.environment);
    return posix_spawnp(
        &process, command.program.c_str(), &actions_, &attributes_, words.data(), variables.data());
  }

 private:
  // As exec takes them: ended by a null.
  static std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (const std::string& text : texts) {
      list.push_back(const_cast<char*>(text.c_str()));
    }
    list.push_back(nullptr);
    return list;
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

WorkerProcess::WorkerProcess(const std::filesystem::path& program,
                             const std::filesystem::path& argument,
                             const std::vector<std::string>& environment)
    : WorkerProcess(ProcessCommand{.program = program.string(),
                                   .arguments = {argument.string()},
                                   .environment = environment}) {}

WorkerProcess::WorkerProcess(const ProcessCommand& command)
    : other_children_(machine::child_processes()) {
  keep_ends_of_children();
  Pipe output;
  Pipe second;
  int problem = output.open() && second.open() ? 0 : errno;
  if (problem == 0) {
    // What the worker starts and leaves behind becomes our child, so that it can be found.
    prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    SpawnPlan plan;
    plan.lay_out(output.write_end, second.write_end, command.second);
    if (!command.folder.empty()) {
      plan.enter(command.folder);
    }
    plan.detach();
    problem = plan.start(process_, command);
  }
  if (problem != 0) {
    output.close_both();
    second.close_both();
    prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_);
    throw_failed_call(command.program, "cannot be started", problem);
  }
  close_one(output.write_end);
  close_one(second.write_end);
  output_ = output.read_end;
  phases_ = second.read_end;
  if (command.second == SecondPipe::none) {
    close_phases();
  }
  // Not wrapped by glibc 2.35 and older; -1 on old kernels.
  ended_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
}

WorkerProcess::~WorkerProcess() {
  if (!reaped_) {
    signal_group(SIGKILL);
    reap();
  }
  close_output();
  close_phases();
  close_one(ended_);
  prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_);
}

void WorkerProcess::close_output() {
  close_one(output_);
}
void WorkerProcess::close_phases() {
  close_one(phases_);
}

void WorkerProcess::signal_group(int signal) const {
  if (!reaped_) {
    kill(-process_, signal);
  }
}

bool WorkerProcess::ended() const {
  siginfo_t info{};
  const int answer = waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
  return answer == 0 ? info.si_pid == process_ : errno == ECHILD;
}

ProcessEnd WorkerProcess::reap() {
  TUNE_ASSERT(!reaped_);
  signal_group(SIGKILL);  // before reaping: afterwards the number may belong to somebody else
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED) != 0 && errno == EINTR) {
  }
  reaped_ = true;
  machine::kill_children(other_children_);  // those of the group are killed, others have left it
  ProcessEnd end;
  if (info.si_code == CLD_EXITED) {
    end.exit_code = info.si_status;
  } else {
    end.signal = info.si_status;
  }
  return end;
}

}  // namespace tune::runner
