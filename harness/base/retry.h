#pragma once

#include <cerrno>
#include <chrono>
#include <thread>

namespace tune {

/// Repeats the system call while a signal interrupts it.
template <class Call>
auto retried(Call call) {
  for (;;) {
    const auto answer = call();
    if (answer >= 0 || errno != EINTR) {
      return answer;
    }
  }
}

/// The result of `attempt`, which is repeated after a short pause and once more after a longer one
/// while `may_pass` says that its result may change: a disk or server may fail briefly, or the
/// table of open files may be full for a moment.
template <class Attempt, class MayPass>
auto patiently(Attempt attempt, MayPass may_pass) {
  auto answer = attempt();
  for (const auto pause : {std::chrono::milliseconds(5), std::chrono::milliseconds(50)}) {
    if (!may_pass(answer)) {
      break;
    }
    std::this_thread::sleep_for(pause);
    answer = attempt();
  }
  return answer;
}

}  // namespace tune
