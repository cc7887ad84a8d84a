#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace tune {

/// Lets the calling thread, and threads that it starts from then on, give way to whatever else runs
/// on this machine, and names it (at most 15 characters) for whoever looks at the process. What is
/// refused costs nothing but the courtesy.
void step_aside(const char* name);

/// While it lives the calling thread takes no signals, and threads that it starts never do: signals
/// are for the thread that runs trials, which must wake up at Ctrl-C.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

/// A thread that takes no signals. Throws tune::MachineError where none is to be had, as at a limit
/// of processes (ulimit -u).
std::jthread start_thread(std::function<void()> work);

}  // namespace tune
