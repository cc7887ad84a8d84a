#include "worker/script/ranks_compared.h"

#include "worker/script/script_reply.h"

#include <gtest/gtest.h>

namespace tune::script {
namespace {

using Sentences = std::vector<std::string>;

// A rank of 20 equal steps of 100 ms, which it fills with waiting in its backward pass.
GroupedNotes rank_with(trial::PhaseSums phases, std::size_t count = 20) {
  constexpr std::int64_t kStepNs = 100'000'000;
  phases.backward_ns = kStepNs - phases.total_ns();
  GroupedNotes notes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin_ns = static_cast<std::int64_t>(i) * kStepNs;
    notes.steps.push_back({.begin_ns = begin_ns, .end_ns = begin_ns + kStepNs, .phases = phases});
  }
  notes.marks = {{kWindowBegins, 0, 0}};
  return notes;
}

constexpr std::int64_t kMs = 1'000'000;

TEST(RanksCompared, TheRankThatTheOthersWaitForIsNamedWithItsPart) {
  const GroupedNotes usual = rank_with({.data_wait_ns = 2 * kMs, .forward_ns = 20 * kMs});
  const GroupedNotes late = rank_with({.data_wait_ns = 20 * kMs, .forward_ns = 20 * kMs});
  const std::string sentence =
      " takes 18 % of a step longer than the other ranks (median), which wait for it: data wait "
      "20ms a step, theirs 2ms";
  EXPECT_EQ(stragglers({&usual, &usual, &late, &usual}), Sentences{"rank 2" + sentence});
  EXPECT_EQ(stragglers({&late, &usual}), Sentences{"rank 0" + sentence});
}

TEST(RanksCompared, TheSlowestComesFirst) {
  const GroupedNotes usual = rank_with({.forward_ns = 20 * kMs});
  const GroupedNotes late = rank_with({.forward_ns = 35 * kMs});
  const GroupedNotes later = rank_with({.forward_ns = 20 * kMs, .other_ns = 40 * kMs});
  const Sentences found = stragglers({&usual, &late, &usual, &usual, &later});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].starts_with("rank 4 takes 40 % of a step longer")) << found[0];
  EXPECT_TRUE(found[0].ends_with("wait for it: other 40ms a step, theirs 0s")) << found[0];
  EXPECT_TRUE(found[1].starts_with("rank 1 takes 15 % of a step longer")) << found[1];
}

TEST(RanksCompared, WaitingInTheForwardPassHidesNoDataWait) {
  const GroupedNotes waits = rank_with({.data_wait_ns = 2 * kMs, .forward_ns = 50 * kMs});
  const GroupedNotes late = rank_with({.data_wait_ns = 32 * kMs, .forward_ns = 20 * kMs});
  const Sentences found = stragglers({&waits, &late, &waits});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("rank 1 takes 30 % of a step longer")) << found[0];
}

TEST(RanksCompared, RanksThatDifferLittleOrWereSeenBrieflyAreNotNamed) {
  const GroupedNotes usual = rank_with({.data_wait_ns = 2 * kMs, .forward_ns = 20 * kMs});
  const GroupedNotes near = rank_with({.data_wait_ns = 11 * kMs, .forward_ns = 20 * kMs});
  const GroupedNotes brief = rank_with({.data_wait_ns = 60 * kMs, .forward_ns = 20 * kMs}, 9);
  EXPECT_EQ(stragglers({&usual, &near, &usual}), Sentences{});
  EXPECT_EQ(stragglers({&usual, &brief}), Sentences{});
  EXPECT_EQ(stragglers({&brief}), Sentences{});
  EXPECT_EQ(stragglers({}), Sentences{});
}

TEST(RanksCompared, RanksThatWroteNowhereAreMissing) {
  const GroupedNotes usual = rank_with({});
  EXPECT_EQ(missing_ranks({&usual, &usual}, 2), "");
  EXPECT_EQ(missing_ranks({}, 4), "");
  EXPECT_TRUE(missing_ranks({&usual, &usual}, 4).starts_with("the rate is that of 2 of 4 ranks: "));
}

}  // namespace
}  // namespace tune::script
