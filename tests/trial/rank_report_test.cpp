#include "trial/rank_report.h"

#include <gtest/gtest.h>

#include <vector>

namespace tune::trial {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// 20 steps of 100 ms, of which it waits for the others in what its own parts leave.
RankReport rank_of(std::int64_t number, PhaseSums own_of_a_step) {
  constexpr std::int64_t kSteps = 20;
  RankReport rank{.rank = number, .steps = kSteps};
  for (std::int64_t step = 0; step < kSteps; ++step) {
    rank.own += own_of_a_step;
    rank.communication_ns += 100 * kMs - own_of_a_step.total_ns();
  }
  return rank;
}

TEST(Stragglers, TheSlowBackwardPassOfARankIsItsOwn) {
  const PhaseSums usual = {.forward_ns = 20 * kMs, .backward_ns = 40 * kMs};
  const PhaseSums slow = {.forward_ns = 20 * kMs, .backward_ns = 75 * kMs};
  const std::vector<Straggler> late =
      stragglers({rank_of(0, usual), rank_of(1, usual), rank_of(2, slow), rank_of(3, usual)});
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].rank, 2);
  EXPECT_NEAR(late[0].late_ratio, 0.35, 1e-9);
  EXPECT_EQ(late[0].sentence,
            "rank 2 takes 35 % of a step longer than the other ranks (median), which wait for it: "
            "backward 75ms a step, theirs 40ms");
}

TEST(Stragglers, NobodyIsLateByLessThanATenth) {
  const RankReport usual = rank_of(0, {.forward_ns = 50 * kMs});
  EXPECT_TRUE(stragglers({usual, rank_of(1, {.forward_ns = 59 * kMs})}).empty());
  EXPECT_EQ(stragglers({usual, rank_of(1, {.forward_ns = 61 * kMs})}).size(), 1U);
  EXPECT_TRUE(stragglers({usual}).empty());
  EXPECT_TRUE(stragglers({}).empty());
}

TEST(Stragglers, FewStepsSayNothing) {
  RankReport usual = rank_of(0, {.forward_ns = 20 * kMs});
  RankReport late = rank_of(1, {.forward_ns = 80 * kMs});
  usual.steps = late.steps = 9;
  EXPECT_TRUE(stragglers({usual, late}).empty());
}

}  // namespace
}  // namespace tune::trial
