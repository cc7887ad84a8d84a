#include "stats/uniform_index.h"

#include <gtest/gtest.h>

#include <vector>

namespace tune::stats {

// The generator is fixed by the standard, the mapping by us: equal on every machine.
TEST(UniformIndex, IsTheSameEverywhere) {
  std::mt19937_64 bits(1);
  std::mt19937_64 same(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(uniform_index(bits, 10), same() % 10);
  }
}

TEST(UniformIndex, ReachesEveryIndexAboutEquallyOften) {
  std::mt19937_64 bits(2);
  std::vector<int> seen(7);
  for (int i = 0; i < 70000; ++i) {
    ++seen[uniform_index(bits, 7)];
  }
  for (const int times : seen) {
    EXPECT_NEAR(times, 10000, 400);
  }
  EXPECT_EQ(uniform_index(bits, 1), 0U);
}

}  // namespace tune::stats
