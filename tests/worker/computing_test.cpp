#include "small_trial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tune::worker {
namespace {

using trial::TrialReply;
using trial::TrialSpec;

TrialSpec with_steps(TrialSpec spec, std::int64_t steps) {
  spec.measure.slice_steps = steps - 1;  // one is warm-up
  return spec;
}

TEST(Computing, Resnet18HasThePublishedNumberOfParameters) {
  TrialSpec spec = small_resnet();
  spec.workload.classes = 1000;
  EXPECT_EQ(reply_of(spec).parameters, 11'689'512);
}

TEST(Computing, TheMlpHasEightLayers) {
  // 3*32*32*64 + 64, six times 64*64 + 64, 64*10 + 10
  EXPECT_EQ(reply_of(small_spec()).parameters, 196'672 + 6 * 4'160 + 650);
}

TEST(Computing, TrainingOnTheSameFewBatchesLowersTheLoss) {
  TrialSpec spec = with_steps(small_resnet(), 32);
  spec.workload.optimizer = "adamw";
  spec.workload.lr = 1e-3;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.losses.size(), 6U);  // 1 2 4 8 16 32
  EXPECT_EQ(reply.losses.front().step, 1);
  EXPECT_EQ(reply.losses.back().step, 32);
  EXPECT_NEAR(reply.losses.front().value, std::log(10), 1.5);
  EXPECT_LT(reply.losses.back().value, 0.5 * reply.losses.front().value);
}

TEST(Computing, TheLossIsKeptAtPowersOfTwoAndAtTheLastStep) {
  const TrialReply reply = reply_of(with_steps(small_spec(), 11));
  std::vector<std::int64_t> steps;
  for (const trial::Loss& loss : reply.losses) {
    steps.push_back(loss.step);
  }
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 2, 4, 8, 11}));
}

TEST(Computing, EqualSeedsGiveEqualLossesAndOthersDoNot) {
  const TrialSpec spec = with_steps(small_resnet(), 4);
  const TrialReply first = reply_of(spec);
  EXPECT_EQ(first.losses, reply_of(spec).losses);
  TrialSpec other = spec;
  other.workload.seed = 8;
  EXPECT_NE(first.losses, reply_of(other).losses);
}

class Optimizers : public testing::TestWithParam<const char*> {};

void expect_same_losses(const TrialReply& reply, const TrialReply& other, double tolerance) {
  ASSERT_EQ(reply.losses.size(), other.losses.size());
  for (std::size_t i = 0; i < reply.losses.size(); ++i) {
    EXPECT_NEAR(reply.losses[i].value, other.losses[i].value, tolerance * other.losses[i].value)
        << "step " << reply.losses[i].step;
  }
}

TrialSpec with_every_term(TrialSpec spec, const char* optimizer) {
  spec.workload.optimizer = optimizer;
  spec.workload.lr = 2e-3;
  spec.workload.momentum = 0.9;
  spec.workload.weight_decay = 0.05;
  spec.knobs["batch_size"] = std::int64_t{8};
  return spec;
}

TEST_P(Optimizers, LoopForeachAndFusedComputeTheSame) {
  TrialSpec spec = with_steps(with_every_term(small_spec(), GetParam()), 16);
  const TrialReply loop = reply_of(spec);
  ASSERT_EQ(loop.losses.size(), 5U);
  EXPECT_NE(loop.losses.front().value, loop.losses.back().value);
  for (const char* const call : {"foreach", "fused"}) {
    SCOPED_TRACE(call);
    spec.knobs["optimizer_impl"] = std::string(call);
    expect_same_losses(reply_of(spec), loop, 1e-4);
  }
}

// The fused one walks raw memory: gradients and state must have the parameters' layout.
TEST_P(Optimizers, FusedComputesTheSameOnChannelsLastParameters) {
  TrialSpec spec = with_steps(with_every_term(small_resnet(), GetParam()), 4);
  spec.knobs["channels_last"] = true;
  const TrialReply loop = reply_of(spec);
  ASSERT_EQ(loop.losses.size(), 3U);
  spec.knobs["optimizer_impl"] = std::string("fused");
  expect_same_losses(reply_of(spec), loop, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Worker, Optimizers, testing::Values("sgd", "adamw"));

// If the cache of cast weights were not cleared after each step, training would stop.
TEST(Computing, TrainingInBfloat16FollowsTrainingInFloat32) {
  TrialSpec spec = with_steps(small_spec(), 16);
  spec.workload.optimizer = "adamw";
  spec.workload.lr = 3e-3;
  const TrialReply exact = reply_of(spec);
  spec.knobs["amp"] = std::string("bf16");
  const TrialReply rounded = reply_of(spec);
  ASSERT_EQ(rounded.losses.size(), 5U);
  EXPECT_NE(rounded.losses[0].value, exact.losses[0].value);
  expect_same_losses(rounded, exact, 0.05);
  EXPECT_LT(rounded.losses[4].value, rounded.losses[2].value) << "steps 16 and 4 see one batch";
}

TEST(Computing, InferenceTrainsNothing) {
  TrialSpec spec = with_steps(small_resnet(), 9);
  spec.workload.task = "infer";
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].phases.backward_ns, 0);
  EXPECT_EQ(reply.slices[0].phases.optimizer_ns, 0);
  EXPECT_GT(reply.slices[0].phases.forward_ns, 0);
  // Four resident batches take turns: steps 1 and 9 see the same one, with the same weights.
  ASSERT_EQ(reply.losses.size(), 5U);
  EXPECT_DOUBLE_EQ(reply.losses.front().value, reply.losses.back().value);
}

TEST(Computing, LogsAndCheckpointsAreRealHostWork) {
  namespace fs = std::filesystem;
  TrialSpec spec = with_steps(small_spec(), 7);
  spec.workload.log_every = 3;
  spec.workload.checkpoint_every = 5;
  const TrialReply reply = reply_of(spec);
  EXPECT_EQ(fs::file_size(fs::path(spec.folder) / "checkpoint.bin"),
            static_cast<std::uintmax_t>(reply.parameters) * sizeof(float));
  std::ostringstream log;
  log << std::ifstream(fs::path(spec.folder) / "stderr.log").rdbuf();
  EXPECT_NE(log.str().find("step 3 loss "), std::string::npos) << log.str();
  EXPECT_NE(log.str().find("step 6 loss "), std::string::npos) << log.str();
  EXPECT_EQ(log.str().find("step 7 "), std::string::npos) << log.str();
}

}  // namespace
}  // namespace tune::worker
