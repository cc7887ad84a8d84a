#pragma once

#include <csignal>
#include <cstddef>
#include <functional>
#include <thread>

namespace tune {

/// Gives the calling thread, and threads that it starts from now on, a lower priority than
/// everything else on this machine, and names it (at most 15 characters) for tools that list
/// threads. A refusal by the system is ignored.
void step_aside(const char* name);

/// Blocks signals in the calling thread during its lifetime, and for good in threads that are
/// started meanwhile: signals are for the thread that runs trials, which must wake up at Ctrl-C.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

/// A thread that takes no signals. Throws tune::MachineError when none can be started, e.g. at the
/// limit of processes (ulimit -u).
std::jthread start_thread(std::function<void()> work);

/// Calls work(0) to work(count - 1), on this thread and on others: as many as there are CPUs, at
/// most `most_threads`; on this one alone where no other can be started. Rethrows what one of them
/// threw, after the rest has ended.
void in_parallel(std::size_t count,
                 std::size_t most_threads,
                 const std::function<void(std::size_t)>& work);

}  // namespace tune
