#include "stats/quantile.h"

#include <gtest/gtest.h>

namespace tune::stats {

// Expected values: numpy.quantile of NumPy 2 with its default method.
TEST(Quantile, AgreesWithNumPy) {
  const std::vector<double> samples = {15, 20, 35, 40, 50};
  EXPECT_DOUBLE_EQ(quantile(samples, 0.05), 16);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.30), 23);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.40), 29);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.95), 48);
}

TEST(Quantile, OfZeroAndOneAreTheExtremes) {
  EXPECT_EQ(quantile({3, 1, 2}, 0), 1);
  EXPECT_EQ(quantile({3, 1, 2}, 1), 3);
}

TEST(Quantile, OfOneSampleIsThatSample) {
  EXPECT_EQ(quantile({7}, 0.9), 7);
}

}  // namespace tune::stats
