#include "base/background_thread.h"

#include "base/error.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tune {

void step_aside(const char* name) {
  constexpr int kNicest = 19;
  (void)pthread_setname_np(pthread_self(), name);
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNicest);
  const sched_param priority{};
  (void)sched_setscheduler(0, SCHED_BATCH, &priority);
}

SignalsBlocked::SignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsBlocked::~SignalsBlocked() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::jthread start_thread(std::function<void()> work) {
  const SignalsBlocked blocked;
  try {
    return std::jthread(std::move(work));
  } catch (const std::system_error& failed) {
    throw MachineError({"threads",
                        "cannot be started",
                        failed.code().message() + ": a limit on processes or on memory",
                        "see ulimit -u"});
  }
}

}  // namespace tune
