#include "base/background_thread.h"

#include <gtest/gtest.h>

#include <csignal>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace tune {
namespace {

int own_niceness() {
  return getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
}

bool blocks_interrupts() {
  sigset_t now{};
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  return sigismember(&now, SIGINT) == 1;
}

TEST(BackgroundThread, GivesWayWithThoseThatItStartsAndNobodyElse) {
  const int before = own_niceness();
  int own = -1;
  int of_child = -1;
  std::thread([&] {
    step_aside("aside");
    own = own_niceness();
    std::thread([&] { of_child = own_niceness(); }).join();
  }).join();
  EXPECT_EQ(own, 19);
  EXPECT_EQ(of_child, 19);
  EXPECT_EQ(own_niceness(), before);
}

TEST(BackgroundThread, TakesNoSignalsWhereItsStarterBlocksThem) {
  bool is_blocked = false;
  {
    const SignalsBlocked blocked;
    std::thread([&] { is_blocked = blocks_interrupts(); }).join();
  }
  EXPECT_TRUE(is_blocked);
  EXPECT_FALSE(blocks_interrupts());
}

}  // namespace
}  // namespace tune
