#include "base/background_thread.h"

#include "base/error.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

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

void in_parallel(std::size_t count,
                 std::size_t most_threads,
                 const std::function<void(std::size_t)>& work) {
  const std::size_t cpus = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t threads = std::min({count, most_threads, cpus});
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> failures(threads);
  const auto take = [&](std::size_t thread) {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        work(i);
      }
    } catch (...) {
      failures[thread] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t thread = 1; thread < threads; ++thread) {
        others.push_back(start_thread([&take, thread] { take(thread); }));
      }
    } catch (const MachineError&) {  // those that were started share the work
    }
    if (threads > 0) {
      take(0);
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
}

}  // namespace tune
