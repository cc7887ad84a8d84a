#include "cli/interruption.h"

#include <gtest/gtest.h>

#include <csignal>

namespace tune::cli {

TEST(Interruption, WithinAnotherKeepsWhatThatHasHeard) {
  const Interruption outer;
  std::raise(SIGTERM);
  {
    const Interruption inner;
    EXPECT_TRUE(inner.asked());
    EXPECT_EQ(inner.exit_code(), ExitCode::terminated);
  }
  EXPECT_TRUE(outer.asked());
}

TEST(Interruption, WithinAnotherIsHeardByThatToo) {
  const Interruption outer;
  {
    const Interruption inner;
    std::raise(SIGINT);
  }
  EXPECT_TRUE(outer.asked());
  EXPECT_EQ(outer.exit_code(), ExitCode::interrupted);
}

TEST(Interruption, HearsSignalsThatItsStarterBlocked) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  {
    const Interruption interruption;
    std::raise(SIGTERM);
    EXPECT_TRUE(interruption.asked());
  }
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_TRUE(sigismember(&blocked, SIGTERM));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(Interruption, AfterAnotherBeginsAnew) {
  {
    const Interruption first;
    std::raise(SIGTERM);
    EXPECT_TRUE(first.asked());
  }
  const Interruption second;
  EXPECT_FALSE(second.asked());
}

}  // namespace tune::cli
