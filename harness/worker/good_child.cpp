#include "worker/good_child.h"

#include <csignal>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace tune::worker {

void become_a_good_child() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)std::signal(SIGPIPE, SIG_IGN);
  constexpr std::string_view kFirst = "1000";
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file != -1) {
    (void)!write(file, kFirst.data(), kFirst.size());
    close(file);
  }
}

}  // namespace tune::worker
