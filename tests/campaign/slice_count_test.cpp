#include "campaign/slice_count.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

// Reference value: a hypergeometric sum in Python's fractions (tests/stats/counts_test.cpp).
constexpr double kTwelveAgainstOne = 0.0026756987014076973;

SliceCount side(std::int64_t tainted, std::int64_t by_core, bool has_core_probes) {
  return {.clean = 120 - tainted,
          .tainted = tainted,
          .tainted_by_core = by_core,
          .has_core_probes = has_core_probes};
}

TEST(SliceCount, AddsTheSlicesOfAllProcesses) {
  SliceCount process{.clean = 3, .tainted = 2, .tainted_by_core = 1};
  SliceCount sum = process;
  EXPECT_FALSE(sum.has_core_probes);
  process.has_core_probes = true;
  sum += process;
  EXPECT_EQ(sum.all(), 10);
  EXPECT_EQ(sum.tainted_by_core, 2);
  EXPECT_TRUE(sum.has_core_probes);
}

TEST(TaintImbalance, CountsWhatCoreProbesSawWhereBothSidesMadeSome) {
  EXPECT_NEAR(taint_imbalance(side(12, 12, true), side(1, 1, true)), kTwelveAgainstOne, 1e-12);
}

TEST(TaintImbalance, ASideWithoutCoreProbesLosesNoSlicesToWhatItDoesNotSee) {
  EXPECT_EQ(taint_imbalance(side(12, 12, true), side(0, 0, false)), 1);
  EXPECT_EQ(taint_imbalance(side(0, 0, false), side(12, 12, true)), 1);
}

TEST(TaintImbalance, CountsWhatCountersSawInEveryCase) {
  EXPECT_NEAR(taint_imbalance(side(12, 0, true), side(1, 0, false)), kTwelveAgainstOne, 1e-12);
  EXPECT_NEAR(taint_imbalance(side(14, 2, true), side(1, 0, false)), kTwelveAgainstOne, 1e-12);
}

TEST(TaintImbalance, IsNoneWhereASideHasNoSlices) {
  EXPECT_EQ(taint_imbalance({}, side(12, 0, true)), 1);
}

}  // namespace
}  // namespace tune::campaign
