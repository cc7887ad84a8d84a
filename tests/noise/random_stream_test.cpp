#include "random_stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::noise {

TEST(RandomStream, IsTheSameEverywhere) {
  RandomStream random(42);
  EXPECT_DOUBLE_EQ(random.uniform(), 0.75515553295453897);
  EXPECT_NEAR(random.normal(), 0.012755354198444343, 1e-15);
}

TEST(RandomStream, DrawsNormalNumbers) {
  RandomStream random(1);
  double sum = 0, squares = 0, beyond = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const double drawn = random.normal();
    sum += drawn;
    squares += drawn * drawn;
    beyond += std::abs(drawn) > 1.959964 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.025);
  EXPECT_NEAR(squares / kDraws, 1, 0.03);
  EXPECT_NEAR(beyond / kDraws, 0.05, 0.006);
}

TEST(SeedOf, DiffersByNameAndBySeed) {
  EXPECT_EQ(seed_of(1, "r1-c07"), seed_of(1, "r1-c07"));
  EXPECT_NE(seed_of(1, "r1-c07"), seed_of(1, "r1-c08"));
  EXPECT_NE(seed_of(1, "r1-c07"), seed_of(2, "r1-c07"));
}

}  // namespace tune::noise
