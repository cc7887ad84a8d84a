#include "machine/process_usage.h"

#include "base/monotonic_clock.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <thread>

namespace tune::machine {
namespace {

void burn(std::int64_t ns) {
  timespec now{};
  const auto cpu_ns = [&] {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
  };
  while (cpu_ns() < ns) {
  }
}

TEST(ProcessUsage, CountsTheCpuTimeOfAllThreadsAlsoOfThoseThatEnded) {
  ProcessUsageReader reader;
  const ProcessUsage before = reader.read();
  std::thread([] { burn(20'000'000); }).join();
  std::thread([] { burn(20'000'000); }).join();
  const ProcessUsage done = difference(before, reader.read());
  EXPECT_GE(done.cpu_ns, 40'000'000);
  EXPECT_LT(done.cpu_ns, 400'000'000);
}

TEST(ProcessUsage, CountsPageFaultsAndVoluntarySwitches) {
  ProcessUsageReader reader;
  const ProcessUsage before = reader.read();
  constexpr std::size_t kPages = 300;
  const std::size_t bytes = kPages * 4096;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < kPages; ++i) {
    static_cast<volatile char*>(memory)[i * 4096] = 1;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const ProcessUsage done = difference(before, reader.read());
  munmap(memory, bytes);
  EXPECT_GE(done.minor_faults, static_cast<std::int64_t>(kPages));
  EXPECT_GE(done.voluntary_switches, 1);
}

TEST(ProcessUsage, RunDelayNeverFallsWhenThreadsEnd) {
  ProcessUsageReader reader;
  std::int64_t last_ns = 0;
  for (int i = 0; i < 5; ++i) {
    std::thread one([] { burn(1'000'000); });
    std::thread two([] { burn(1'000'000); });
    const ProcessUsage during = reader.read();
    one.join();
    two.join();
    const ProcessUsage after = reader.read();
    if (!during.run_delay_ns || !after.run_delay_ns) {
      GTEST_SKIP() << "the kernel counts no run delay";
    }
    EXPECT_GE(*during.run_delay_ns, last_ns);
    EXPECT_GE(*after.run_delay_ns, *during.run_delay_ns);
    EXPECT_LE(*after.main_run_delay_ns, *after.run_delay_ns);
    last_ns = *after.run_delay_ns;
  }
}

TEST(ProcessUsage, WithoutProcOnlyTheRunDelayIsUnknown) {
  ProcessUsageReader reader("/no/such/root");
  const ProcessUsage usage = reader.read();
  EXPECT_FALSE(usage.run_delay_ns.has_value());
  EXPECT_GT(usage.cpu_ns, 0);
}

}  // namespace
}  // namespace tune::machine
