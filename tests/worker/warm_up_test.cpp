#include "own_model_trial.h"
#include "small_trial.h"
#include "worker/warmup_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tune::worker {
namespace {

using trial::TrialReply;
using trial::TrialSpec;

std::int64_t own_ns(const TrialReply& reply) {
  return reply.slices.at(0).wall_ns - reply.delay_ns;
}

TEST(WarmUp, IsAsLongAsItsStepsNeedAndCanBeComputedAgain) {
  TrialSpec spec = small_spec();
  spec.measure.find_warmup = true;
  spec.measure.warmup_limit_ns = 3'000'000'000;
  const TrialReply reply = reply_of(spec);
  ASSERT_TRUE(reply.warmup_search.has_value());
  const trial::SteadyRecord& found = *reply.warmup_search;
  EXPECT_GE(found.steps, 16);
  EXPECT_EQ(reply.warmup_steps, found.steps + 1) << "a pause for a check is followed by a step";
  const std::vector<std::int64_t> looked_at(reply.step_ns.begin(),
                                            reply.step_ns.begin() + found.steps);
  EXPECT_EQ(steady_record(looked_at), found);
  EXPECT_EQ(std::accumulate(looked_at.begin(), looked_at.begin() + found.cut, std::int64_t{0}),
            found.time_to_steady_ns);
}

TEST(WarmUp, IsNotSearchedForWhenItsLengthIsGiven) {
  TrialSpec spec = small_spec();
  spec.measure.warmup_steps = 20;
  const TrialReply reply = reply_of(spec);
  EXPECT_FALSE(reply.warmup_search.has_value());
  EXPECT_EQ(reply.warmup_steps, 20);
}

// The archive takes batches of 4 only, and the epoch ends far behind the measured steps.
TEST(WarmUp, ComputesTheSmallerLastBatchWhereAlgorithmsAreTriedBySize) {
  TrialSpec spec = with_archive("traced.pt");
  spec.workload.own.input = {16};
  spec.data.samples = 83;
  EXPECT_EQ(reply_of(spec).slices.size(), 1U);
  spec.knobs["cudnn_benchmark"] = true;
  expect_refused_with(spec, "forward fails on [3, 16]");
  spec.data.drop_last = true;
  EXPECT_EQ(reply_of(spec).slices.size(), 1U);
}

TEST(WarmUp, TrainsTheSameWithTheSmallerBatchBefore) {
  TrialSpec spec = small_resnet();
  spec.data.samples = 10;  // batches of 4, 4 and 2
  spec.measure.slice_steps = 4;
  const TrialReply without = reply_of(spec);
  spec.knobs["cudnn_benchmark"] = true;
  const TrialReply with = reply_of(spec);
  ASSERT_FALSE(without.losses.empty());
  ASSERT_EQ(with.losses.size(), without.losses.size());
  for (std::size_t i = 0; i < with.losses.size(); ++i) {
    EXPECT_FLOAT_EQ(static_cast<float>(with.losses[i].value),
                    static_cast<float>(without.losses[i].value));
  }
}

TEST(Epoch, IsMeasuredOnceAndWholeBeforeTheSlices) {
  TrialSpec synthetic = small_spec();
  synthetic.data.samples = 10;  // batches of 4, 4 and 2
  TrialSpec ring = small_resnet_on_images();
  ring.knobs["num_workers"] = std::int64_t{1};
  TrialSpec libtorch = ring;
  libtorch.knobs["loader"] = std::string("libtorch");
  TrialSpec in_any_order = libtorch;
  in_any_order.knobs["num_workers"] = std::int64_t{2};
  in_any_order.knobs["in_order"] = false;
  for (TrialSpec spec : {synthetic, ring, libtorch, in_any_order}) {
    spec.measure.epoch = true;
    spec.measure.warmup_steps = 4;
    spec.measure.slices = 2;
    spec.measure.slice_ns = 0;
    spec.measure.slice_steps = 2;
    const TrialReply reply = reply_of(spec);
    ASSERT_EQ(reply.slices.size(), 3U);
    const trial::Slice& epoch = reply.slices[0];
    EXPECT_EQ(reply.warmup_steps, 6) << "two epochs";
    EXPECT_EQ(epoch.steps, 3);
    EXPECT_EQ(epoch.samples, spec.data.source == "synthetic" ? 10 : 12);
    EXPECT_EQ(epoch.epochs_begun, 1);
    EXPECT_EQ(epoch.phases.total_ns(), epoch.wall_ns);
    ASSERT_GE(reply.epoch_begins.size(), 3U) << "the slices begin another";
    EXPECT_EQ(reply.epoch_begins[0].step, 3);
    EXPECT_EQ(reply.epoch_begins[1].step, 6);
    EXPECT_EQ(reply.epoch_begins[1].data_wait_ns, reply.step_phases[0].data_wait_ns);
  }
}

TEST(Delay, SlowsEachStepByItsShare) {
  for (const double ratio : {0.01, 0.1, 0.5}) {
    TrialSpec spec = small_spec();
    spec.measure.slice_steps = 50;
    spec.measure.delay_ratio = ratio;
    const TrialReply reply = reply_of(spec);
    const trial::Slice& slice = reply.slices.at(0);
    const auto own = static_cast<double>(own_ns(reply));
    EXPECT_GE(static_cast<double>(reply.delay_ns), own * ratio * 0.9999);
    EXPECT_GE(slice.phases.other_ns, reply.delay_ns) << "it is not part of the training";
    for (const trial::PhaseSums& step : reply.step_phases) {
      EXPECT_GE(static_cast<double>(step.other_ns) * (1 + ratio),
                static_cast<double>(step.total_ns()) * ratio * 0.9999);
    }
  }
}

// From the steps' own times. A wait that another process interrupts lasts longer and reports it:
// hence the median of all steps.
TEST(Delay, OfTenPercentSlowsTheRateByTenPercent) {
  TrialSpec spec = small_spec();
  spec.measure.slice_steps = 200;
  spec.measure.delay_ratio = 0.1;
  const TrialReply reply = reply_of(spec);
  std::vector<double> slowdowns;
  for (const trial::PhaseSums& step : reply.step_phases) {
    const auto own_ns = static_cast<double>(step.total_ns() - step.other_ns);
    slowdowns.push_back(static_cast<double>(step.other_ns) / own_ns);
  }
  const auto middle = slowdowns.begin() + static_cast<std::ptrdiff_t>(slowdowns.size() / 2);
  std::nth_element(slowdowns.begin(), middle, slowdowns.end());
  EXPECT_NEAR(*middle, 0.1, 0.02);
}

TEST(Delay, IsNoneUnlessAskedFor) {
  EXPECT_EQ(reply_of(small_spec()).delay_ns, 0);
}

}  // namespace
}  // namespace tune::worker
