// Gradient accumulation: a step is one optimizer step, however many batches it takes.

#include "small_trial.h"
#include "trace/reader/read_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace tune::worker {
namespace {

using trial::TrialReply;
using trial::TrialSpec;

TrialSpec with_batches(TrialSpec spec, std::int64_t batch_size, std::int64_t batches) {
  spec.knobs["batch_size"] = batch_size;
  spec.knobs["gradient_accumulation"] = batches;
  return spec;
}

TEST(Accumulation, TwoHalfBatchesTrainAsOneWholeBatch) {
  TrialSpec spec = small_gpt_on_tokens();  // 16 sequences
  spec.measure.slice_steps = 7;
  const TrialReply whole = reply_of(with_batches(spec, 8, 1));
  const TrialReply halves = reply_of(with_batches(spec, 4, 2));
  ASSERT_EQ(whole.losses.size(), 4U);
  ASSERT_EQ(halves.losses.size(), whole.losses.size());
  for (std::size_t i = 0; i < whole.losses.size(); ++i) {
    EXPECT_NEAR(halves.losses[i].value, whole.losses[i].value, 1e-4 * whole.losses[i].value);
  }
  EXPECT_NE(whole.losses.front().value, whole.losses.back().value);
}

TEST(Accumulation, AStepHasTheSamplesAndThePhasesOfAllItsBatches) {
  TrialSpec spec = with_batches(small_spec(), 4, 4);  // of 64 samples
  spec.measure.slice_steps = 6;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  const trial::Slice& slice = reply.slices[0];
  EXPECT_EQ(slice.steps, 6);
  EXPECT_EQ(slice.samples, 6 * 4 * 4);
  EXPECT_EQ(slice.phases.total_ns(), slice.wall_ns);
  EXPECT_EQ(reply.step_phases.size(), 6U);
  EXPECT_EQ(reply.losses.back().step, 7);
}

// 14 samples are batches of 4, 4, 4 and 2: with three batches per step the second step is short.
TEST(Accumulation, NoStepLiesInTwoEpochs) {
  TrialSpec spec = with_batches(small_spec(), 4, 3);
  spec.data.samples = 14;
  spec.measure.warmup_steps = 2;
  spec.measure.slice_steps = 4;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].samples, 2 * 14);
  EXPECT_EQ(reply.slices[0].epochs_begun, 2);
  ASSERT_EQ(reply.epoch_begins.size(), 2U);
  EXPECT_EQ(reply.epoch_begins[0].step, 2);
  EXPECT_EQ(reply.epoch_begins[1].step, 4);
}

TEST(Accumulation, AWholeEpochIsWholeToo) {
  TrialSpec spec = with_batches(small_spec(), 4, 3);
  spec.data.samples = 14;
  spec.measure.epoch = true;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 2U);
  EXPECT_EQ(reply.slices[0].samples, 14);
  EXPECT_EQ(reply.slices[0].steps, 2);
}

TEST(Accumulation, OneStepGoesForwardAndBackwardWithEachBatchAndOptimizesOnce) {
  TrialSpec spec = with_batches(small_spec(), 4, 3);
  spec.data.samples = 48;  // four whole steps an epoch
  spec.profile.emplace();
  spec.profile->warmup = 1;
  spec.profile->active = 2;
  const TrialReply reply = reply_of(spec);
  ASSERT_TRUE(reply.profile);
  ASSERT_EQ(reply.profile->reason, "");
  const profile::Timeline timeline =
      profile::read_trace(std::filesystem::path(spec.folder) / "trace.json.gz");
  const auto count = [&](std::string_view name) {
    return std::count_if(timeline.events.begin(), timeline.events.end(), [&](const auto& event) {
      return timeline.name(event) == name;
    });
  };
  EXPECT_EQ(count("forward"), 2 * 3);
  EXPECT_EQ(count("backward"), 2 * 3);
  EXPECT_EQ(count("enumerate(DataLoader)#tune.__next__"), 2 * 3);
  EXPECT_EQ(count("Optimizer.step#SGD.step"), 2);
  EXPECT_EQ(count("Optimizer.zero_grad#SGD.zero_grad"), 2);
}

TEST(Accumulation, HoldsTheActivationsOfOneBatchAlone) {
  TrialSpec spec = small_gpt();
  spec.workload.params["layers"] = std::int64_t{6};
  spec.workload.params["sequence_length"] = std::int64_t{64};
  spec.measure.structure = true;
  const TrialReply whole = reply_of(with_batches(spec, 16, 1));
  const TrialReply quarters = reply_of(with_batches(spec, 4, 4));
  ASSERT_TRUE(whole.structure && quarters.structure);
  EXPECT_LT(2 * quarters.structure->peak_bytes, whole.structure->peak_bytes);
  EXPECT_GT(quarters.structure->operators, 2 * whole.structure->operators);
}

TEST(Accumulation, TheLoaderAloneTakesBatchAfterBatch) {
  TrialSpec spec = with_batches(small_spec(), 4, 3);
  spec.measure.loader_only = true;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].samples, reply.slices[0].steps * 4);
}

}  // namespace
}  // namespace tune::worker
