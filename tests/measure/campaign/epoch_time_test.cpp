#include "measure/campaign/epoch_time.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

constexpr std::int64_t kMs = 1'000'000;

trial::TrialSpec spec_of(std::int64_t samples, std::int64_t batch_size, bool drop_last = false) {
  trial::TrialSpec spec;
  spec.data.samples = samples;
  spec.data.drop_last = drop_last;
  spec.knobs["batch_size"] = batch_size;
  return spec;
}

// Two warm-up steps, then slices of ten steps of 10 ms (2 ms of them waiting) and ten samples each.
trial::TrialReply reply_of(int slices) {
  trial::TrialReply reply;
  reply.warmup_steps = 2;
  reply.step_ns = {30 * kMs, 10 * kMs};
  for (int i = 0; i < slices; ++i) {
    trial::Slice slice;
    slice.steps = 10;
    slice.samples = 100;
    for (int step = 0; step < 10; ++step) {
      trial::PhaseSums parts;
      parts.data_wait_ns = 2 * kMs;
      parts.forward_ns = 8 * kMs;
      reply.step_phases.push_back(parts);
      reply.step_ns.push_back(10 * kMs);
    }
    slice.wall_ns = 100 * kMs;
    reply.slices.push_back(slice);
  }
  return reply;
}

// The step, from 0 over all, waits so much longer because an epoch begins.
void begin_epoch(trial::TrialReply& reply, std::int64_t step, std::int64_t extra_ns) {
  reply.epoch_begins.push_back({step, 2 * kMs + extra_ns});
  const std::int64_t measured = step - reply.warmup_steps;
  if (measured >= 0) {
    reply.step_phases[static_cast<std::size_t>(measured)].data_wait_ns += extra_ns;
    reply.slices[static_cast<std::size_t>(measured / 10)].wall_ns += extra_ns;
  }
}

TEST(SamplesPerEpoch, DropLastLeavesWholeBatches) {
  EXPECT_EQ(samples_per_epoch({.samples = 105}, 10), 105);
  EXPECT_EQ(samples_per_epoch({.samples = 105, .drop_last = true}, 10), 100);
}

TEST(EpochTime, OfAScriptIsThatOfWhatItsLoadersGive) {
  trial::TrialReply reply = reply_of(3);
  reply.script.emplace();
  EXPECT_FALSE(epoch_time(reply, spec_of(0, 10)));
  reply.script->epoch_samples = 3'000;
  const auto time = epoch_time(reply, spec_of(0, 10));
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->total_s, 3.0, 1e-9);
}

TEST(EpochTime, WithoutABeginItIsSamplesByRateAndSaysWhatIsMissing) {
  const auto time = epoch_time(reply_of(3), spec_of(2'000, 10));
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->total_s, 2.0, 1e-9);  // 1 ms a sample
  EXPECT_EQ(time->begins, 0);
  EXPECT_NE(time->warning, "");
}

TEST(EpochTime, TheBeginOfAnEpochIsPaidOnceAnEpochHoweverManyFellIntoTheWindow) {
  trial::TrialReply reply = reply_of(3);
  begin_epoch(reply, 7, 40 * kMs);
  begin_epoch(reply, 22, 60 * kMs);
  const auto time = epoch_time(reply, spec_of(2'000, 10));
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->training_s, 2.0, 1e-9);
  EXPECT_NEAR(time->begin_s, 0.05, 1e-9);
  EXPECT_NEAR(time->total_s, 2.05, 1e-9);
  EXPECT_EQ(time->begins, 2);
  EXPECT_EQ(time->warning, "");
}

TEST(EpochTime, AWholeEpochInTheWindowIsItsOwnMeasure) {
  trial::TrialReply reply = reply_of(2);
  begin_epoch(reply, 2, 30 * kMs);
  const auto time = epoch_time(reply, spec_of(200, 10));
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->total_s, 0.23, 1e-9);  // what the two slices lasted
}

TEST(EpochTime, ABeginInTheWarmUpIsUsedWhereNoneWasMeasured) {
  trial::TrialReply reply = reply_of(2);
  begin_epoch(reply, 1, 25 * kMs);
  const auto time = epoch_time(reply, spec_of(2'000, 10));
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->begin_s, 0.025, 1e-9);
}

TEST(EpochTime, DisturbedSlicesDoNotCount) {
  trial::TrialReply reply = reply_of(2);
  reply.slices[1].wall_ns *= 3;
  reply.slices[1].disturbance.other_cpu_ns = reply.slices[1].wall_ns;
  const auto time = epoch_time(reply, spec_of(2'000, 10));
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->total_s, 2.0, 1e-9);
}

TEST(EpochTime, IsNotKnownWithoutTheSizeOfTheDataOrACleanSlice) {
  EXPECT_FALSE(epoch_time(reply_of(2), spec_of(0, 10)));
  EXPECT_FALSE(epoch_time(trial::TrialReply(), spec_of(100, 10)));
}

}  // namespace
}  // namespace tune::campaign
