#include "machine/probe/timed_calls.h"

#include <gtest/gtest.h>

namespace tune::probe {
namespace {

TEST(TimedCalls, OneCallARepetitionIsOneCall) {
  int calls = 0;
  const auto seconds = seconds_per_call({.work = [&] { ++calls; }, .repetitions = 5, .least_s = 0});
  EXPECT_EQ(seconds.size(), 5U);
  EXPECT_EQ(calls, 5);
}

// The number of calls depends on the clock.
TEST(TimedCalls, ShortWorkIsCalledAsOftenAsTheTimeWants) {
  int calls = 0;
  const auto seconds =
      seconds_per_call({.work = [&] { ++calls; }, .repetitions = 2, .least_s = 0.0005});
  ASSERT_EQ(seconds.size(), 2U);
  EXPECT_GE(calls, 2);
  for (const double each : seconds) {
    EXPECT_GT(each, 0);
  }
}

TEST(TimedCalls, OneAfterTheOther) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(seconds_per_call({.work = [] {}, .repetitions = 3, .least_s = 0}).size(), 3U);
  }
}

}  // namespace
}  // namespace tune::probe
