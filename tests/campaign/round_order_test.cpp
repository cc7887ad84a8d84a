#include "campaign/round_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tune::campaign {

TEST(RoundOrder, VisitsEveryCellOnce) {
  auto order = round_order(30, 7);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(order[i], i);
  }
}

TEST(RoundOrder, IsTheSameForTheSameSeedOnEveryMachine) {
  EXPECT_EQ(round_order(6, 1), round_order(6, 1));
  EXPECT_EQ(round_order(8, round_seed(3, "search", 1)),
            (std::vector<std::size_t>{3, 2, 0, 5, 6, 7, 4, 1}));
}

TEST(RoundOrder, DiffersFromRoundToRoundAndFromSeedToSeed) {
  std::set<std::vector<std::size_t>> orders;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::int64_t round = 1; round <= 10; ++round) {
      orders.insert(round_order(12, round_seed(seed, "search", round)));
    }
  }
  EXPECT_EQ(orders.size(), 100U);
}

TEST(RoundOrder, GivesEveryCellEveryPlaceEquallyOften) {
  std::map<std::size_t, int> first;
  constexpr int kRounds = 6000;
  for (std::int64_t round = 1; round <= kRounds; ++round) {
    ++first[round_order(6, round_seed(11, "search", round)).front()];
  }
  for (const auto& [cell, times] : first) {
    EXPECT_NEAR(times, kRounds / 6, 120) << cell;  // four standard deviations
  }
}

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
