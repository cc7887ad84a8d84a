#pragma once

#include <cerrno>
#include <chrono>
#include <thread>

namespace tune {

/// The call of the system again and again while a signal interrupts it.
template <class Call>
auto retried(Call call) {
  for (;;) {
    const auto answer = call();
    if (answer >= 0 || errno != EINTR) {
      return answer;
    }
  }
}

/// The answer of `attempt`, asked for again after a short pause, and once more after a longer one,
/// for as long as `may_pass` says of it that it may be different then: a disk or server may
/// stumble, or the table of open files may be full for a moment.
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
