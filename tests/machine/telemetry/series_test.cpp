#include "machine/telemetry/series.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tune::telemetry {

namespace {

const std::vector<SeriesInfo> kTwo = {{"bytes", "", "B", Kind::level},
                                      {"read_rate", "", "B/s", Kind::count}};

TEST(Trail, KeepsWhatWasReadInOrder) {
  Trail trail(kTwo);
  trail.add(10, std::array{1.0, 2.0});
  trail.add(20, std::array{3.0, 4.0});
  ASSERT_EQ(trail.samples(), 2U);
  EXPECT_EQ(trail.time_ns(1), 20);
  EXPECT_EQ(trail.value(1, 0), 3);
  EXPECT_EQ(trail.value(0, 1), 2);
}

TEST(Trail, DropsAReadingOfAClockThatStands) {
  Trail trail(kTwo);
  trail.add(10, std::array{1.0, 2.0});
  trail.add(10, std::array{5.0, 6.0});
  trail.add(9, std::array{5.0, 6.0});
  EXPECT_EQ(trail.samples(), 1U);
}

TEST(Trail, StaysBoundedAndLosesNoCount) {
  Trail trail(kTwo, 8);
  for (int i = 0; i < 100; ++i) {
    trail.add(i, std::array{static_cast<double>(i % 2), 10.0 * i});
    ASSERT_LE(trail.samples(), 8U);
  }
  EXPECT_EQ(trail.time_ns(0), 0);
  EXPECT_EQ(trail.time_ns(trail.samples() - 1), 99);
  for (std::size_t i = 0; i < trail.samples(); ++i) {
    EXPECT_EQ(trail.value(i, 1), 10.0 * static_cast<double>(trail.time_ns(i)));
  }
}

TEST(Trail, HalvesALevelToItsMean) {
  Trail trail(kTwo, 5);
  const std::array levels = {5.0, 0.0, 2.0, 4.0, 8.0};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    trail.add(static_cast<std::int64_t>(i), std::array{levels[i], 0.0});
  }
  trail.add(9, std::array{std::nan(""), 0.0});
  ASSERT_EQ(trail.samples(), 4U);
  EXPECT_EQ(trail.value(0, 0), 5);
  EXPECT_EQ(trail.value(1, 0), 1);
  EXPECT_EQ(trail.value(2, 0), 6);
  EXPECT_TRUE(std::isnan(trail.value(3, 0)));
}

}  // namespace

}  // namespace tune::telemetry
