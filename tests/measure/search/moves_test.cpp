#include "measure/search/moves.h"

#include "small_space.h"

#include <gtest/gtest.h>

namespace tune::search {

namespace {

History race(std::int64_t blocks, const std::vector<double>& scores) {
  std::vector<Measurement> trials;
  for (std::int64_t block = 0; block < blocks; ++block) {
    for (std::size_t cell = 0; cell < scores.size(); ++cell) {
      const double wobble =
          0.001 * static_cast<double>((block * 7 + static_cast<long>(cell) * 3) % 5);
      trials.push_back(completed(cell, block, scores[cell] + wobble));
    }
  }
  return read_history(product({4}), trials);
}

}  // namespace

TEST(Race, DropsACellThatIsSlowerInAllOfSixBlocks) {
  EXPECT_EQ(beaten_in_race(race(6, {0, 0.5, 0.4, 0.5}), 1, {1, 2, 3}),
            (std::vector<std::size_t>{2}));
}

TEST(Race, DecidesNothingBeforeSixBlocks) {
  EXPECT_TRUE(beaten_in_race(race(5, {0, 0.5, 0.1, 0.2}), 1, {1, 2, 3}).empty());
}

TEST(Race, CorrectsForTheNumberOfRivals) {
  // Six of six has p = 1/64: enough alone and for three, too much for four at .05.
  const History history = race(6, {0, 0.5, 0.1, 0.2});
  EXPECT_EQ(beaten_in_race(history, 1, {2, 3}).size(), 2U);
  EXPECT_EQ(beaten_in_race(history, 1, {0, 2, 3}).size(), 3U);
  EXPECT_TRUE(beaten_in_race(history, 1, {0, 1, 2, 3}).empty());
}

}  // namespace tune::search
