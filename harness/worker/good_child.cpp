#include "worker/good_child.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace tune::worker {

namespace {

// The starter may have died before the kernel knew that we want to follow it. With a wrapper such
// as perf between the two, the wrapper is our parent.
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

}  // namespace tune::worker
