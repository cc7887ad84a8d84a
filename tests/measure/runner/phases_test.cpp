#include "measure/runner/phases.h"

#include "trial/worker_lines.h"

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

TEST(PhaseLines, AreReadFromAnyPieces) {
  PhaseLines lines;
  EXPECT_TRUE(lines.add("se", 1).empty());
  const auto begun = lines.add("tup 12\nwarmup 34\nmea", 40);
  ASSERT_EQ(begun.size(), 2U);
  EXPECT_EQ(begun[0].phase, "setup");
  EXPECT_EQ(begun[0].worker_ns, 12);
  EXPECT_EQ(begun[0].seen_ns, 40);
  EXPECT_EQ(begun[1].phase, "warmup");
  EXPECT_EQ(lines.phase(), "warmup");
  EXPECT_EQ(lines.problem(), "");
}

TEST(PhaseLines, NonsenseIsKeptAsTheProblemAndEndsTheReading) {
  for (const char* text : {"setup\n",
                           "setup -1\n",
                           "setup 1x\n",
                           "setup 99999999999999999999\n",
                           "\n",
                           "nap 1\n",
                           " setup 1\n",
                           "setup 1\nsetup 2\n",
                           "write 1\nsetup 2\n"}) {
    PhaseLines lines;
    lines.add(text, 1);
    EXPECT_NE(lines.problem(), "") << text;
    EXPECT_TRUE(lines.add("done 5\n", 2).empty()) << text;
  }
}

// The clock is one for all processes: what a line tells of is over, and in order.
TEST(PhaseLines, ATimeThatCannotBeIsNonsense) {
  for (const char* text : {"setup 9223372036854775807\n",
                           "setup 1000000000000000001\n",
                           "setup 101\n",
                           "setup 50\nwarmup 49\n"}) {
    PhaseLines lines;
    for (const PhaseArrival& arrival : lines.add(text, 100)) {
      EXPECT_LE(arrival.worker_ns, arrival.seen_ns) << text;
    }
    EXPECT_NE(lines.problem().find("an impossible time"), std::string::npos) << text;
  }
  PhaseLines lines;
  EXPECT_EQ(lines.add("setup 100\nwarmup 100\n", 100).size(), 2U);
}

TEST(PhaseLines, AnEndlessLineIsNotKept) {
  PhaseLines lines;
  for (int i = 0; i < 1000; ++i) {
    lines.add(std::string(1000, 'x'), 1);
  }
  EXPECT_NE(lines.problem().find("too long"), std::string::npos);
}

}  // namespace

}  // namespace tune::runner
