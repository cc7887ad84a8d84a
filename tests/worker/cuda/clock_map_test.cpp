#include "worker/cuda/clock_map.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

constexpr std::int64_t kToday = 1'763'800'000'000'000'000;  // CLOCK_REALTIME

TEST(ClockMap, WithoutPairsNothingMoves) {
  EXPECT_EQ(ClockMap().to_monotonic_ns(123'456'789), 123'456'789);
}

TEST(ClockMap, ClocksThatRunAlikeDifferByAConstant) {
  const ClockMap map({kToday, 1'000}, {kToday + 5'000'000'000, 5'000'001'000});
  EXPECT_EQ(map.drift_ns(), 0);
  EXPECT_EQ(map.to_monotonic_ns(kToday + 77), 1'077);
  EXPECT_EQ(map.to_monotonic_ns(kToday - 500), 500);
}

TEST(ClockMap, WhatOneClockWasSlewedByIsSpreadOverTheTimeBetween) {
  const ClockMap map({kToday, 0}, {kToday + 1'000'000'000, 1'000'000'400});
  EXPECT_EQ(map.drift_ns(), 400);
  EXPECT_EQ(map.to_monotonic_ns(kToday + 500'000'000), 500'000'200);
  EXPECT_EQ(map.to_monotonic_ns(kToday + 1'000'000'000), 1'000'000'400);
}

TEST(ClockMap, AClockThatWasSetBackLeavesTheFirstPair) {
  const ClockMap map({kToday, 1'000}, {kToday - 3'600'000'000'000, 5'000});
  EXPECT_EQ(map.to_monotonic_ns(kToday + 10), 1'010);
}

TEST(ClockMap, AClockThatWasSetIsToldFromOneThatIsAdjusted) {
  constexpr std::int64_t kMinute = 60'000'000'000, kMs = 1'000'000;
  EXPECT_FALSE(ClockMap().was_set());
  EXPECT_FALSE(ClockMap({kToday, 0}, {kToday + kMinute, kMinute + 30 * kMs}).was_set())
      << "NTP may adjust by half a millisecond per second";
  EXPECT_FALSE(ClockMap({kToday, 0}, {kToday + 10 * kMs, 11 * kMs}).was_set());
  EXPECT_TRUE(ClockMap({kToday, 0}, {kToday + 10 * kMs + 2 * kMs, 10 * kMs}).was_set());
  EXPECT_TRUE(ClockMap({kToday, 0}, {kToday + 2 * kMinute, kMinute}).was_set());
  EXPECT_TRUE(ClockMap({kToday, 0}, {kToday - kMinute, 5'000}).was_set()) << "back";
}

TEST(ClockMap, APairIsReadFromBothClocksOfThisMachine) {
  const ClockMap::Pair first = read_clock_pair();
  const ClockMap::Pair second = read_clock_pair();
  EXPECT_GT(first.record_ns, 1'600'000'000'000'000'000) << "not CLOCK_REALTIME";
  EXPECT_GE(second.monotonic_ns, first.monotonic_ns);
}

}  // namespace
}  // namespace tune::worker
