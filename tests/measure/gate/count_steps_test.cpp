#include "measure/gate/count_steps.h"

#include <gtest/gtest.h>

#include <vector>

namespace tune::gate {
namespace {

class SteadyWarmup : public testing::Test {
 protected:
  // One process after the other gets steady or does not.
  WarmupSearch search(const std::vector<bool>& steady) {
    return search_warmup(measure_, kMostWarmupSearches, [&](const auto& id, const auto& look) {
      EXPECT_TRUE(look.find_warmup);
      EXPECT_EQ(look.slices, 1) << "only the warm-up matters";
      ids_.push_back(id);
      trial::TrialReply reply;
      reply.warmup_search = trial::SteadyRecord{.steady = steady.at(ids_.size() - 1),
                                                .cut = 100 + static_cast<std::int64_t>(ids_.size()),
                                                .steps = 640};
      return std::optional(reply);
    });
  }

  trial::Measure measure_;
  std::vector<std::string> ids_;
};

TEST_F(SteadyWarmup, ASecondProcessMayBeSteadyWhereTheFirstWasDisturbed) {
  const WarmupSearch found = search({false, true});
  EXPECT_TRUE(found.is_steady());
  EXPECT_EQ(ids_, (std::vector<std::string>{"warmup-1", "warmup-2"}));
  measure_.find_warmup = true;
  warm_up_as_found(found, measure_);
  EXPECT_EQ(measure_.warmup_steps, 102);
  EXPECT_EQ(measure_.warmup_ns, 0);
  EXPECT_FALSE(measure_.find_warmup);
}

TEST_F(SteadyWarmup, GivesUpAfterThree) {
  const WarmupSearch found = search({false, false, false, true});
  EXPECT_FALSE(found.is_steady());
  EXPECT_FALSE(found.has_failed);
  EXPECT_EQ(ids_.size(), 3U);
  EXPECT_EQ(no_steady_state(found, 3),
            "no-steady-state: the speed of 3 processes kept changing for 640 steps");
  EXPECT_EQ(no_steady_state({}, 1), "no-steady-state: the speed of a process kept changing");
}

TEST_F(SteadyWarmup, AWordThatItsStepTimesContradictIsNotSteady) {
  trial::TrialReply reply;
  for (std::int64_t i = 0; i < 400; ++i) {  // ever slower
    reply.step_ns.push_back(10'000'000 + 40'000 * i + (i % 3) * 10'000);
  }
  reply.warmup_search =
      trial::SteadyRecord{.steady = true, .cut = 3, .steps = 400, .reason = "steady"};
  std::int64_t runs = 0;
  const WarmupSearch found =
      search_warmup(measure_, kMostWarmupSearches, [&](const auto&, const auto&) {
        ++runs;
        return std::optional(reply);
      });
  EXPECT_EQ(runs, kMostWarmupSearches);
  EXPECT_FALSE(found.is_steady());
  ASSERT_TRUE(found.found);
  EXPECT_FALSE(found.found->steady) << "as recomputed";
  EXPECT_TRUE(no_steady_state(found, 3).starts_with(
      "no-steady-state: the worker says steady after 3 of 400 steps, its step times say not steady "
      "in 400 steps"))
      << no_steady_state(found, 3);
}

TEST_F(SteadyWarmup, IsAtLeastWhatTheScenarioWants) {
  const WarmupSearch found = search({true});
  measure_.warmup_steps = 5000;
  warm_up_as_found(found, measure_);
  EXPECT_EQ(measure_.warmup_steps, 5000);
}

TEST_F(SteadyWarmup, AProcessThatFailsEndsTheSearch) {
  int runs = 0;
  const WarmupSearch found =
      search_warmup(measure_,
                    kMostWarmupSearches,
                    [&](const auto&, const auto&) -> std::optional<trial::TrialReply> {
                      ++runs;
                      return std::nullopt;
                    });
  EXPECT_TRUE(found.has_failed);
  EXPECT_FALSE(found.is_steady());
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace tune::gate
