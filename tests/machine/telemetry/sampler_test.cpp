#include "machine/telemetry/sampler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tune::telemetry {
namespace {

// Counts its readings and inspects the thread that takes them.
class CountingSource : public Source {
 public:
  explicit CountingSource(const char* id) { series_ = {{id, "", "count", Kind::level}}; }

  void sample(std::int64_t /*now_ns*/, std::span<double> values) override {
    values[0] = ++readings;
    nice = getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)));
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    takes_signals = sigismember(&blocked, SIGINT) == 0;
  }

  std::atomic<int> readings = 0, nice = 0;
  std::atomic<bool> takes_signals = true;
};

constexpr SamplerOptions kNever{.period_ns = 3'600'000'000'000};

TEST(Sampler, ReadsAtItsBeginAndAtItsEnd) {
  CountingSource first("first"), second("second");
  Sampler sampler({&first, &second}, kNever);
  const Sampler::Result result = sampler.stop();
  ASSERT_EQ(result.trail.samples(), 2U);
  EXPECT_EQ(result.trail.series().at(1).id, "second");
  EXPECT_EQ(result.trail.value(0, 0), 1);
  EXPECT_EQ(result.trail.value(1, 1), 2);
  EXPECT_LT(result.trail.time_ns(0), result.trail.time_ns(1));
  EXPECT_GT(result.cpu_ns, 0);
  EXPECT_GE(result.wall_ns, 0);
}

TEST(Sampler, ReadsOnceMoreWhenItIsAsked) {
  CountingSource source("one");
  Sampler sampler({&source}, kNever);
  while (source.readings < 1) {
    sched_yield();
  }
  sampler.sample_soon();
  while (source.readings < 2) {
    sched_yield();
  }
  EXPECT_EQ(sampler.stop().trail.samples(), 3U);
}

TEST(Sampler, ReadsInItsPeriodUntilItStops) {
  CountingSource source("one");
  Sampler sampler({&source}, {.period_ns = 1'000, .most_cpu_ratio = 1});
  while (source.readings < 5) {
    sched_yield();
  }
  EXPECT_GE(sampler.stop().trail.samples(), 5U);
}

TEST(Sampler, StandsAsideAndTakesNoSignals) {
  CountingSource source("one");
  Sampler sampler({&source}, kNever);
  (void)sampler.stop();
  EXPECT_EQ(source.nice, 19);
  EXPECT_FALSE(source.takes_signals);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGINT), 0) << "the thread that created it still gets signals";
}

TEST(Sampler, EndsWithItsOwner) {
  CountingSource source("one");
  { const Sampler sampler({&source}, kNever); }
  EXPECT_EQ(source.readings, 2);
}

// Costs 2 ms of CPU time per reading.
class ExpensiveSource : public Source {
 public:
  ExpensiveSource() { series_ = {{"slow", "", "count", Kind::level}}; }
  void sample(std::int64_t /*now_ns*/, std::span<double> /*values*/) override {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    const auto cpu_ns = [&] {
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      return now.tv_sec * 1'000'000'000 + now.tv_nsec;
    };
    const auto end_ns = cpu_ns() + 2'000'000;
    while (cpu_ns() < end_ns) {
    }
    ++readings;
  }
  std::atomic<int> readings = 0;
};

TEST(Sampler, WaitsLongerWhereAReadingCostsMuch) {
  ExpensiveSource source;
  Sampler sampler({&source}, {.period_ns = 1'000, .most_cpu_ratio = 0.5});
  while (source.readings < 4) {
    sched_yield();
  }
  const Sampler::Result result = sampler.stop();
  for (std::size_t i = 1; i + 1 < result.trail.samples(); ++i) {
    EXPECT_GE(result.trail.time_ns(i) - result.trail.time_ns(i - 1), 6'000'000)
        << "2 ms of work and 4 ms of rest";
  }
}

}  // namespace
}  // namespace tune::telemetry
