#include "base/background_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <pthread.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

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

TEST(InParallel, CallsEachOnceAndSaysWhatFailed) {
  std::vector<std::atomic<int>> calls(100);
  in_parallel(calls.size(), 8, [&](std::size_t i) { ++calls[i]; });
  for (const std::atomic<int>& each : calls) {
    EXPECT_EQ(each, 1);
  }
  in_parallel(0, 8, [](std::size_t) { FAIL(); });
  EXPECT_THROW(in_parallel(calls.size(),
                           8,
                           [](std::size_t i) {
                             if (i == 7) {
                               throw std::runtime_error("seven");
                             }
                           }),
               std::runtime_error);
}

}  // namespace
}  // namespace tune
