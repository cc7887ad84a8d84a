#include "drift_timeline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::noise {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(DriftTimeline, IsTheSameInWhateverOrderOneAsks) {
  DriftTimeline forwards(shared(), 7);
  DriftTimeline backwards(shared(), 7);
  const double last = backwards.at(99 * kSecond);
  const double first = backwards.at(0);
  EXPECT_EQ(forwards.at(0), first);
  EXPECT_EQ(forwards.at(99 * kSecond), last);
  EXPECT_EQ(forwards.at(99 * kSecond + kSecond / 2), last) << "within one second";
  EXPECT_NE(forwards.at(98 * kSecond), last);
}

TEST(DriftTimeline, HasTheDriftOfItsEnvironment) {
  const Environment environment = drifting();
  DriftTimeline timeline(environment, 3);
  double together = 0, squares = 0, before = 0;
  constexpr int kSeconds = 20000;
  for (int second = 0; second < kSeconds; ++second) {
    const double now = timeline.at(second * kSecond);
    together += before * now;
    squares += now * now;
    before = now;
  }
  EXPECT_NEAR(std::sqrt(squares / kSeconds), environment.drift_sd, 0.002);
  EXPECT_NEAR(together / squares, environment.drift_rho, 0.01);
}

}  // namespace tune::noise
