#include "worker/warmup_search.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::worker {
namespace {

using Steps = std::vector<std::int64_t>;

constexpr std::int64_t kStepNs = 10'000'000;

// Between -1 and 1, equal in each run and without a pattern that the search could exploit.
double noise(std::int64_t step) {
  const auto mixed = static_cast<std::uint64_t>(step + 1) * 0x9E3779B97F4A7C15U;
  return static_cast<double>((mixed ^ (mixed >> 29)) % 2'001) / 1'000 - 1;
}

std::int64_t flat(std::int64_t step) {
  return std::llround(kStepNs * (1 + 0.005 * noise(step)));
}

std::int64_t slow_at_first(std::int64_t step) {
  return std::llround(static_cast<double>(flat(step)) * (step < 40 ? 1.5 : 1));
}

std::int64_t drifting(std::int64_t step) {
  return std::llround(static_cast<double>(flat(step)) *
                      std::exp(0.002 * static_cast<double>(step)));
}

struct Found {
  trial::SteadyRecord record;
  Steps step_ns;
  std::int64_t passed_ns = 0;
};

Found search(const trial::Measure& measure, std::int64_t (*step_time)(std::int64_t)) {
  WarmupSearch search(measure);
  Found found;
  while (!search.is_over(found.step_ns, found.passed_ns)) {
    found.step_ns.push_back(step_time(static_cast<std::int64_t>(found.step_ns.size())));
    found.passed_ns += found.step_ns.back();
  }
  found.record = search.record();
  return found;
}

trial::Measure measure(std::int64_t limit_ns) {
  trial::Measure asked;
  asked.warmup_steps = 3;
  asked.warmup_ns = 0;
  asked.find_warmup = true;
  asked.warmup_limit_ns = limit_ns;
  return asked;
}

TEST(WarmupSearch, EndsWhenEnoughStepsAreSteady) {
  const Found found = search(measure(60'000'000'000), flat);
  EXPECT_TRUE(found.record.steady);
  EXPECT_EQ(found.record.reason, "steady");
  EXPECT_EQ(found.record.steps, 256) << "200 are enough for so little noise";
  EXPECT_EQ(found.record.cut, 3);
  EXPECT_EQ(found.record.time_to_steady_ns, found.step_ns[0] + found.step_ns[1] + found.step_ns[2]);
}

TEST(WarmupSearch, FindsTheLengthOfASlowBeginning) {
  const Found found = search(measure(60'000'000'000), slow_at_first);
  EXPECT_TRUE(found.record.steady);
  EXPECT_NEAR(static_cast<double>(found.record.cut), 40, 2);
  EXPECT_NEAR(static_cast<double>(found.record.time_to_steady_ns), 40 * 1.5 * kStepNs, 4e7);
}

TEST(WarmupSearch, TakesFewSteadyStepsWhenTheyTakeLong) {
  const Found found = search(measure(2'000'000'000), flat);  // 50 steps are a quarter of it
  EXPECT_TRUE(found.record.steady);
  EXPECT_EQ(found.record.steps, 64);
}

TEST(WarmupSearch, GivesUpAtItsLimitAndSaysWhy) {
  const Found found = search(measure(3'000'000'000), drifting);
  EXPECT_FALSE(found.record.steady);
  EXPECT_TRUE(found.record.reason == "tail" || found.record.reason == "guard")
      << found.record.reason;
  EXPECT_GE(found.passed_ns, 3'000'000'000);
  EXPECT_LT(found.passed_ns, 3'100'000'000);
  EXPECT_EQ(found.record.steps, static_cast<std::int64_t>(found.step_ns.size()));
}

TEST(WarmupSearch, WarmsUpAsLongAsTheSpecSaysWhateverItFinds) {
  trial::Measure asked = measure(0);
  asked.warmup_steps = 5;
  const Found short_one = search(asked, flat);
  EXPECT_EQ(short_one.record.steps, 5);
  EXPECT_EQ(short_one.record.reason, "too-few");
  asked = measure(60'000'000'000);
  asked.warmup_ns = 4'000'000'000;
  EXPECT_EQ(search(asked, flat).record.steps, 512);
}

TEST(WarmupSearch, WhoeverLooksAtTheSameStepsFindsTheSame) {
  for (const auto step_time : {flat, slow_at_first, drifting}) {
    const Found found = search(measure(5'000'000'000), step_time);
    EXPECT_EQ(steady_record(found.step_ns), found.record);
  }
}

}  // namespace
}  // namespace tune::worker
