#include "measure/campaign/warmup.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace tune::campaign {

namespace {

constexpr std::int64_t kStepNs = 10'000'000;

// `slow` steps of twice the time, then the others, with 0.5 % of noise.
std::vector<std::int64_t> steps(std::size_t slow, std::size_t all) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.005);
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < all; ++i) {
    times.push_back(std::llround((i < slow ? 2.0 : 1.0) * static_cast<double>(kStepNs) *
                                 std::exp(noise(random))));
  }
  return times;
}

trial::TrialReply reply_of(std::vector<std::int64_t> step_ns, const trial::SteadyRecord& said) {
  trial::TrialReply reply;
  reply.step_ns = std::move(step_ns);
  reply.warmup_search = said;
  return reply;
}

// What an honest worker says of these steps.
trial::SteadyRecord honest(const std::vector<std::int64_t>& step_ns) {
  const auto check = check_warmup(reply_of(
      step_ns,
      {.steady = false, .steps = static_cast<std::int64_t>(step_ns.size()), .reason = "guard"}));
  return check.value().record;
}

std::optional<WarmupFound> found_in(const trial::TrialReply& reply) {
  TrialRecord record;
  record.stage = "warmup";
  record.outcome.reply = reply;
  return warmup_found(scenario::Scenario(), {record});
}

TEST(WarmupCheck, AgreesWithAWorkerThatReckonsTheSame) {
  const auto times = steps(20, 400);
  const auto check = check_warmup(reply_of(times, honest(times)));
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->is_recomputed);
  EXPECT_TRUE(check->is_steady()) << check->record.reason;
  EXPECT_EQ(check->disagreement, "");
  EXPECT_NEAR(static_cast<double>(check->record.cut), 20, 5);
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(check->record.cut);
  EXPECT_EQ(check->record.time_to_steady_ns, std::accumulate(times.begin(), end, std::int64_t{0}));
}

TEST(WarmupCheck, LooksAtTheStepsOfTheSearchAlone) {
  auto times = steps(20, 400);
  const trial::SteadyRecord said = honest(times);
  times.insert(times.end(), 400, 5 * kStepNs);  // what was measured after it
  EXPECT_TRUE(check_warmup(reply_of(times, said)).value().is_steady());
}

TEST(WarmupCheck, TellsAWorkerThatSaysOtherwise) {
  const auto times = steps(20, 400);
  trial::SteadyRecord said = honest(times);
  const std::int64_t cut = said.cut;
  said.cut = 3;
  const WarmupCheck early = check_warmup(reply_of(times, said)).value();
  EXPECT_FALSE(early.is_steady());
  EXPECT_EQ(early.disagreement,
            "the worker says steady after 3 of 400 steps, its step times say steady after " +
                std::to_string(cut) + " of 400 steps");
  said.steady = false;
  said.reason = "tail";
  const WarmupCheck modest = check_warmup(reply_of(times, said)).value();
  EXPECT_FALSE(modest.is_steady());
  EXPECT_TRUE(modest.disagreement.starts_with("the worker says not steady in 400 steps (tail), "))
      << modest.disagreement;
}

TEST(WarmupCheck, TakesTheWordOfAWorkerThatLookedAtMoreThanItsReplyKeeps) {
  const trial::SteadyRecord said = {
      .steady = true, .cut = 150'000, .steps = 400'000, .time_to_steady_ns = 1'500'000'000};
  const WarmupCheck check = check_warmup(reply_of(steps(0, 100), said)).value();
  EXPECT_FALSE(check.is_recomputed);
  EXPECT_TRUE(check.is_steady());
  EXPECT_EQ(check.record, said);
}

TEST(WarmupCheck, IsAboutASearchOnly) {
  EXPECT_FALSE(check_warmup({}));
}

TEST(WarmupFound, KnowsHowLongItTookToBecomeSteady) {
  const auto times = steps(20, 400);
  const auto found = found_in(reply_of(times, honest(times)));
  ASSERT_TRUE(found && found->is_steady);
  ASSERT_TRUE(found->time_to_steady_ns);
  EXPECT_NEAR(static_cast<double>(*found->time_to_steady_ns), 40.0 * kStepNs, 10.0 * kStepNs);
}

TEST(WarmupFound, IsNotSteadyWhereTheWorkerAndItsStepsDisagree) {
  const auto times = steps(20, 400);
  trial::SteadyRecord said = honest(times);
  said.cut = 3;
  const auto found = found_in(reply_of(times, said));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_steady);
  EXPECT_FALSE(found->time_to_steady_ns);
  EXPECT_TRUE(found->text.starts_with(
      "no steady state in 400 steps of the baseline: the worker says steady after 3 of 400 steps"))
      << found->text;
}

}  // namespace

}  // namespace tune::campaign
