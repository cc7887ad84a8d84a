#include "runner/phase_limits.h"

#include "trial/trial_phase.h"

#include <gtest/gtest.h>

namespace tune::runner {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

trial::TrialSpec spec_of(std::int64_t timeout_s) {
  trial::TrialSpec spec;
  spec.timeout_ns = timeout_s * kSecond;
  spec.measure.warmup_ns = 2 * kSecond;
  spec.measure.slices = 5;
  spec.measure.slice_ns = kSecond;
  return spec;
}

TEST(PhaseLimits, EveryPhaseHasOneAndNoneIsLongerThanTheTrial) {
  for (const std::int64_t timeout_s : {1, 8, 30, 120, 3600}) {
    const PhaseLimits limits = phase_limits(spec_of(timeout_s));
    EXPECT_TRUE(limits.contains(kStartPhase));
    for (const std::string_view phase : trial::kPhases) {
      const auto limit = limits.find(phase);
      ASSERT_NE(limit, limits.end()) << phase;
      EXPECT_GT(limit->second, 0) << phase;
      EXPECT_LE(limit->second, timeout_s * kSecond) << phase;
    }
  }
}

TEST(PhaseLimits, FollowFromTheTimeoutOfTheTrial) {
  const PhaseLimits limits = phase_limits(spec_of(120));
  EXPECT_EQ(limits.at("start"), 30 * kSecond);
  EXPECT_EQ(limits.at("setup"), 113 * kSecond);
  EXPECT_EQ(limits.at("first-batch"), 60 * kSecond);
  EXPECT_EQ(limits.at("warmup"), 115 * kSecond);
  EXPECT_EQ(limits.at("measure"), 120 * kSecond);
  EXPECT_EQ(limits.at("write"), 60 * kSecond);
  EXPECT_EQ(limits.at("done"), 5 * kSecond);
}

TEST(PhaseLimits, LeaveASlowDiskItsTime) {
  const PhaseLimits limits = phase_limits(spec_of(30));
  EXPECT_EQ(limits.at("start"), 20 * kSecond);
  EXPECT_EQ(limits.at("first-batch"), 20 * kSecond);
  EXPECT_EQ(limits.at("write"), 15 * kSecond);
  EXPECT_EQ(phase_limits(spec_of(12)).at("write"), 10 * kSecond);
}

TEST(PhaseLimits, AreHalfTheTimeoutWhereTheMeasurementWantsNearlyAllOfIt) {
  trial::TrialSpec spec = spec_of(8);
  EXPECT_EQ(phase_limits(spec).at("setup"), 4 * kSecond);
  spec.measure.slices = 1000;
  spec.measure.slice_ns = 86'400 * kSecond;
  spec.measure.warmup_ns = 86'400 * kSecond;
  EXPECT_EQ(phase_limits(spec).at("setup"), 4 * kSecond);
  EXPECT_EQ(phase_limits(spec).at("warmup"), 4 * kSecond);
}

}  // namespace
}  // namespace tune::runner
