#include "measure/search/best_first.h"

#include "small_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace tune::search {

namespace {

constexpr double kTie = 0.01;

History with_memory(std::size_t cells, const std::vector<std::int64_t>& bytes) {
  History history;
  history.cells.resize(cells);
  for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
    history.cells[cell].peak_memory_bytes = {bytes[cell]};
  }
  return history;
}

}  // namespace

TEST(BestFirst, WithinATieTheFewestChangedKnobsGoFirst) {
  const Space space = product({2, 2});
  const History history = with_memory(4, {});
  EXPECT_EQ(best_first(space, history, {{3, 0.500}, {1, 0.495}, {2, 0.480}}, kTie),
            (std::vector<std::size_t>{1, 3, 2}));
}

TEST(BestFirst, ThenTheLeastMemory) {
  const Space space = product({2, 2});
  const History history = with_memory(4, {0, 900, 800, 0});
  EXPECT_EQ(best_first(space, history, {{1, 0.500}, {2, 0.495}}, kTie),
            (std::vector<std::size_t>{2, 1}));
}

TEST(BestFirst, OutsideOfATieTheScoreDecides) {
  const Space space = product({2, 2});
  EXPECT_EQ(best_first(space, with_memory(4, {}), {{1, 0.1}, {3, 0.2}}, kTie),
            (std::vector<std::size_t>{3, 1}));
}

// As the words say it: the best one left, what ties with it, of those the one of the least rank.
TEST(BestFirst, PicksOneAfterAnotherHoweverFewAreAskedFor) {
  const Space space = product({3, 4, 5});
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::int64_t> bytes(space.cells.size());
    std::vector<Scored> scored;
    for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
      bytes[cell] = static_cast<std::int64_t>(random() % 3);
      if (random() % 4 != 0) {
        scored.push_back({cell, static_cast<double>(random() % 100) / 1000});
      }
    }
    const History history = with_memory(bytes.size(), bytes);
    std::vector<std::size_t> wanted;
    for (std::vector<Scored> left = scored; !left.empty();) {
      double best = left.front().score;
      for (const Scored& each : left) {
        best = std::max(best, each.score);
      }
      const auto rank = [&](const Scored& each) {
        return std::tuple(each.score < best - kTie,
                          changed_knobs(space, each.cell),
                          bytes[each.cell],
                          -each.score,
                          each.cell);
      };
      const auto first =
          std::min_element(left.begin(), left.end(), [&](const auto& a, const auto& b) {
            return rank(a) < rank(b);
          });
      wanted.push_back(first->cell);
      left.erase(first);
    }
    EXPECT_EQ(best_first(space, history, scored, kTie), wanted);
    wanted.resize(std::min<std::size_t>(3, wanted.size()));
    EXPECT_EQ(best_first(space, history, scored, kTie, 3), wanted);
  }
}

}  // namespace tune::search
