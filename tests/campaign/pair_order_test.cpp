#include "campaign/pair_order.h"

#include <gtest/gtest.h>

namespace tune::campaign {

TEST(BaselineFirst, TurnsRoundInEveryBlockOfTwo) {
  int first_in_block = 0;
  constexpr int kBlocks = 1000;
  for (std::int64_t block = 0; block < kBlocks; ++block) {
    EXPECT_NE(baseline_first(5, 2 * block + 1), baseline_first(5, 2 * block + 2));
    first_in_block += baseline_first(5, 2 * block + 1) ? 1 : 0;
  }
  EXPECT_NEAR(first_in_block, kBlocks / 2, 64);  // four standard deviations of a fair coin
}

}  // namespace tune::campaign
