#pragma once

#include <cerrno>

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

}  // namespace tune
