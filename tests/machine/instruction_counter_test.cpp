#include "machine/instruction_counter.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <ctime>
#include <future>
#include <linux/perf_event.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tune::machine {
namespace {

// Virtual machines rarely have the processor's counter. The kernel's own clock is counted by the
// same calls.
constexpr InstructionCounter::Event kClock = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK};
constexpr std::int64_t kBurnNs = 30'000'000;

void burn() {
  timespec now{};
  const auto cpu_ns = [&] {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
  };
  for (const std::int64_t end_ns = cpu_ns() + kBurnNs; cpu_ns() < end_ns;) {
  }
}

class CountedClock : public testing::Test {
 protected:
  void SetUp() override {
    if (const InstructionCounter counter(0, kClock); !counter.problem().empty()) {
      GTEST_SKIP() << "this kernel counts nothing for us: " << counter.problem();
    }
  }
};

TEST_F(CountedClock, CountsThisThread) {
  InstructionCounter counter(0, kClock);
  const std::int64_t before = counter.read().value();
  burn();
  EXPECT_GE(counter.read().value() - before, kBurnNs / 2);
}

TEST_F(CountedClock, CountsThreadsThatWereThereAndThoseThatTheyStart) {
  std::promise<void> go, is_there;
  std::thread old([&] {
    is_there.set_value();
    go.get_future().wait();
    std::thread(burn).join();
    burn();
  });
  is_there.get_future().wait();
  InstructionCounter counter(0, kClock);
  go.set_value();
  old.join();
  EXPECT_GE(counter.read().value(), 2 * kBurnNs * 9 / 10);
}

TEST_F(CountedClock, CountsAnotherProcess) {
  int start[2];
  ASSERT_EQ(pipe(start), 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    while (read(start[0], &byte, 1) < 0 && errno == EINTR) {
    }
    burn();
    _exit(0);
  }
  InstructionCounter counter(child, kClock);
  EXPECT_EQ(counter.problem(), "");
  ASSERT_EQ(write(start[1], "x", 1), 1);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_GE(counter.read().value(), kBurnNs / 2);
  close(start[0]);
  close(start[1]);
}

TEST(InstructionCounter, SaysWhyThereIsNothing) {
  InstructionCounter unknown(0, {0xffff'ff00, 0});
  EXPECT_EQ(unknown.read(), std::nullopt);
  EXPECT_TRUE(unknown.problem().starts_with("perf_event_open: ")) << unknown.problem();
  InstructionCounter nobody(0x3fff'ffff);
  EXPECT_EQ(nobody.read(), std::nullopt);
  EXPECT_EQ(nobody.problem(), "its threads cannot be listed");
}

TEST(InstructionCounter, CountsInstructionsOrSaysWhyNot) {
  InstructionCounter counter;
  const auto before = counter.read();
  burn();
  const auto after = counter.read();
  ASSERT_EQ(before.has_value() && after.has_value(), counter.problem().empty())
      << counter.problem();
  if (after) {
    EXPECT_GT(*after - *before, 1'000'000);
  }
}

}  // namespace
}  // namespace tune::machine
