#include "advice/attribution.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::advice {
namespace {

PhaseTotals totals(std::int64_t samples, const trial::PhaseSums& phases) {
  return {.phases = phases, .samples = samples};
}

TEST(Attribution, SharesSumToTheDifferenceAndPointsToTheGain) {
  const PhaseTotals before = totals(100,
                                    {.data_wait_ns = 5'000'000'000,
                                     .transfer_ns = 300'000'001,
                                     .forward_ns = 2'000'000'003,
                                     .backward_ns = 3'000'000'007,
                                     .optimizer_ns = 100'000'009,
                                     .other_ns = 11});
  const PhaseTotals after = totals(70,
                                   {.data_wait_ns = 700'000'000,
                                    .transfer_ns = 300'000'001,
                                    .forward_ns = 1'400'000'003,
                                    .backward_ns = 2'100'000'007,
                                    .optimizer_ns = 70'000'009,
                                    .other_ns = 13});
  const auto found = attribute(before, after, 0.59);
  ASSERT_TRUE(found);
  double saved = 0, share = 0, gain = 0;
  for (const PhaseChange& phase : found->phases) {
    EXPECT_DOUBLE_EQ(phase.saved_s, phase.before_s - phase.after_s) << phase.id;
    saved += phase.saved_s;
    share += phase.share;
    gain += phase.gain;
  }
  EXPECT_EQ(saved, found->saved_s);
  EXPECT_NEAR(share, 1, 1e-12);
  EXPECT_NEAR(gain, 0.59, 1e-12);
  EXPECT_NEAR(found->before_s - found->after_s, found->saved_s, 1e-15);
  EXPECT_EQ(found->phases[0].id, "data_wait");
  EXPECT_NEAR(found->phases[0].before_s, 0.05, 1e-12);
  EXPECT_NEAR(found->phases[0].after_s, 0.01, 1e-12);
  EXPECT_LT(found->phases[1].saved_s, 0) << "a smaller batch pays more for each transfer";
  EXPECT_LT(found->phases[1].gain, 0);
}

TEST(Attribution, SaysNothingWithoutSamplesOrAgainstTheGain) {
  const PhaseTotals one = totals(10, {.forward_ns = 1'000});
  EXPECT_FALSE(attribute(one, {}, 0.1));
  EXPECT_FALSE(attribute({}, one, 0.1));
  EXPECT_FALSE(attribute(one, one, 0.1)) << "nothing was saved";
  const PhaseTotals slower = totals(10, {.forward_ns = 1'100});
  EXPECT_FALSE(attribute(one, slower, 0.002)) << "a gain of the size of its noise";
  EXPECT_TRUE(attribute(one, slower, -0.09));
}

TEST(Attribution, AReplayedGraphHidesItsPhases) {
  const PhaseTotals before = totals(10, {.forward_ns = 1'000});
  trial::Slice slice;
  slice.samples = 10;
  slice.phases = {.other_ns = 500};
  slice.device = trial::DevicePhaseSums{.transfer_ns = 400};
  PhaseTotals after;
  after += slice;
  EXPECT_TRUE(attribute(before, after, 1));
  slice.device->graph_ns = 400;
  after += slice;
  EXPECT_FALSE(attribute(before, after, 1));
  EXPECT_FALSE(attribute(after, before, -0.5));
}

TEST(Attribution, AddsSlices) {
  trial::Slice slice;
  slice.samples = 4;
  slice.phases = {.data_wait_ns = 3, .forward_ns = 5};
  PhaseTotals sum;
  sum += slice;
  sum += slice;
  EXPECT_EQ(sum.samples, 8);
  EXPECT_EQ(sum.phases.data_wait_ns, 6);
  EXPECT_EQ(sum.phases.forward_ns, 10);
}

}  // namespace
}  // namespace tune::advice
