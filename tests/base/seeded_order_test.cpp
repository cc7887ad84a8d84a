#include "base/seeded_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tune {

TEST(SeededOrder, VisitsEveryCellOnce) {
  auto order = seeded_order(30, 7);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(order[i], i);
  }
}

TEST(SeededOrder, IsTheSameForTheSameSeedOnEveryMachine) {
  EXPECT_EQ(seeded_order(6, 1), seeded_order(6, 1));
  EXPECT_EQ(seeded_order(8, 3, "search", 1), (std::vector<std::size_t>{3, 2, 0, 5, 6, 7, 4, 1}));
}

TEST(SeededOrder, DiffersFromRoundToRoundAndFromSeedToSeed) {
  std::set<std::vector<std::size_t>> orders;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::int64_t round = 1; round <= 10; ++round) {
      orders.insert(seeded_order(12, seed, "search", round));
    }
  }
  EXPECT_EQ(orders.size(), 100U);
}

TEST(SeededOrder, GivesEveryCellEveryPlaceEquallyOften) {
  std::map<std::size_t, int> first;
  constexpr int kRounds = 6000;
  for (std::int64_t round = 1; round <= kRounds; ++round) {
    ++first[seeded_order(6, 11, "search", round).front()];
  }
  for (const auto& [cell, times] : first) {
    EXPECT_NEAR(times, kRounds / 6, 120) << cell;  // four standard deviations
  }
}

}  // namespace tune
