#include "worker/parent.h"

#include "base/clock.h"
#include "trial/worker_lines.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace tune::worker {

namespace {

// The starter may have died before the kernel knew that we want to die with it. With a wrapper such
// as perf in between, the wrapper is our parent.
void leave_if_orphaned() {
  const char* const text = std::getenv("TUNE_PARENT");
  const long starter = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  if (starter <= 0 || starter > std::numeric_limits<pid_t>::max() || starter == getppid()) {
    return;
  }
  if (kill(static_cast<pid_t>(starter), 0) != 0 && errno == ESRCH) {
    _exit(1);
  }
}

}  // namespace

void become_a_good_child() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  leave_if_orphaned();
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is reported as a full disk
  constexpr std::string_view kFirst = "1000";
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file != -1) {
    (void)!write(file, kFirst.data(), kFirst.size());
    close(file);
  }
}

PhaseLines::PhaseLines() : is_open_(fcntl(trial::kPhaseDescriptor, F_GETFD) != -1) {}

void PhaseLines::begin(std::string_view name) {
  begin_at(name, monotonic_ns());
}

void PhaseLines::begin_at(std::string_view name, std::int64_t moment_ns) {
  std::int64_t begin_ns = std::min(moment_ns, monotonic_ns());
  if (!spans_.empty()) {
    if (spans_.back().name == name) {
      return;
    }
    begin_ns = std::max(begin_ns, spans_.back().start_ns);
    spans_.back().end_ns = begin_ns;
  }
  spans_.push_back({std::string(name), begin_ns, begin_ns});
  if (!is_open_) {
    return;
  }
  const std::string line = spans_.back().name + " " + std::to_string(begin_ns) + "\n";
  ssize_t written = -1;
  do {
    written = write(trial::kPhaseDescriptor, line.data(), line.size());
  } while (written == -1 && errno == EINTR);
  is_open_ = written != -1;  // nobody listens any longer
}

std::vector<trial::PhaseSpan> PhaseLines::spans() const {
  std::vector<trial::PhaseSpan> spans = spans_;
  if (!spans.empty()) {
    spans.back().end_ns = monotonic_ns();
  }
  return spans;
}

}  // namespace tune::worker
