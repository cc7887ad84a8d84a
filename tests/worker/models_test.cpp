// The models in the box: the published ones by their size, small ones by what they learn.

#include "small_trial.h"
#include "trial/workload_catalog.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace tune::worker {
namespace {

using trial::TrialReply;
using trial::TrialSpec;

TrialSpec with_steps(TrialSpec spec, std::int64_t steps) {
  spec.measure.slice_steps = steps - 1;  // one is warm-up
  return spec;
}

// As published, with as little work as possible: no gradients, one short sequence.
TrialSpec whole_model(const std::string& model) {
  TrialSpec spec = small_spec();
  spec.workload.model = model;
  spec.workload.task = "infer";
  spec.workload.classes = 1000;
  spec.knobs["batch_size"] = std::int64_t{1};
  spec.data.samples = 4;
  if (trial::reads_tokens(model)) {
    spec.workload.params = {{"sequence_length", std::int64_t{8}}};
  }
  return with_steps(spec, 2);
}

// torchvision.models.ResNet50_Weights.IMAGENET1K_V1: "num_params 25557032".
TEST(Models, Resnet50HasThePublishedNumberOfParameters) {
  EXPECT_EQ(reply_of(whole_model("resnet50")).parameters, 25'557'032);
}

// Devlin et al. (2019), section 3: BERT BASE, "Total Parameters=110M"; transformers'
// BertForMaskedLM("bert-base-uncased").num_parameters() is 109514298.
TEST(Models, BertBaseHasThePublishedNumberOfParameters) {
  const std::int64_t parameters = reply_of(whole_model("bert-base")).parameters;
  EXPECT_EQ(parameters, 109'514'298);
  EXPECT_EQ(std::llround(static_cast<double>(parameters) / 1e7), 11) << "110M";
}

// Radford et al. (2019) say 117M, the README of their repository corrects it to 124M; transformers'
// GPT2LMHeadModel("gpt2").num_parameters() is 124439808.
TEST(Models, GptSmallHasThePublishedNumberOfParameters) {
  const std::int64_t parameters = reply_of(whole_model("gpt-small")).parameters;
  EXPECT_EQ(parameters, 124'439'808);
  EXPECT_EQ(std::llround(static_cast<double>(parameters) / 1e6), 124) << "124M";
}

TEST(Models, ParamsShapeThem) {
  // embeddings (256 + 1024) * 32, norms 5 * 64, twice 12 * 32 * 32 weights and 9 * 32 biases
  EXPECT_EQ(reply_of(small_gpt()).parameters, 1280 * 32 + 5 * 64 + 2 * (12 * 32 * 32 + 9 * 32));
}

// Four resident batches take turns: steps 4 and 64 see the same one.
void expect_falling_loss(TrialSpec spec, double first_loss) {
  spec.workload.optimizer = "adamw";
  spec.workload.lr = 3e-3;
  const TrialReply reply = reply_of(with_steps(std::move(spec), 64));
  ASSERT_EQ(reply.losses.size(), 7U);  // 1 2 4 8 16 32 64
  EXPECT_NEAR(reply.losses[0].value, first_loss, 0.15 * first_loss);
  EXPECT_LT(reply.losses[6].value, 0.95 * reply.losses[2].value);
}

TEST(Models, BertLearnsWhatWasHidden) {
  expect_falling_loss(small_bert(), std::log(256));
}

TEST(Models, GptLearnsWhatFollows) {
  expect_falling_loss(small_gpt(), std::log(256));
}

TEST(Models, GptLearnsHowOftenEachTokenComesInAFile) {
  expect_falling_loss(small_gpt_on_tokens(), std::log(256));
}

TEST(Models, Resnet50LearnsItsFewBatches) {
  TrialSpec spec = with_steps(whole_model("resnet50"), 32);
  spec.workload.task = "train";
  spec.workload.classes = 10;
  spec.workload.optimizer = "adamw";
  spec.workload.lr = 1e-3;
  spec.data.samples = 64;
  spec.knobs["batch_size"] = std::int64_t{4};
  spec.knobs["optimizer_impl"] = std::string("fused");
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.losses.size(), 6U);
  EXPECT_LT(reply.losses.back().value, reply.losses.front().value);
  EXPECT_LT(reply.losses.back().value, reply.losses[2].value) << "steps 32 and 4 see one batch";
}

void expect_same_losses(const TrialReply& reply, const TrialReply& other, double tolerance) {
  ASSERT_EQ(reply.losses.size(), other.losses.size());
  ASSERT_FALSE(reply.losses.empty());
  for (std::size_t i = 0; i < reply.losses.size(); ++i) {
    EXPECT_NEAR(reply.losses[i].value, other.losses[i].value, tolerance * other.losses[i].value)
        << "step " << reply.losses[i].step;
  }
}

std::int64_t operators_of(const TrialReply& reply) {
  return reply.structure ? reply.structure->operators : 0;
}

TEST(Models, ComposedOperatorsComputeWhatFusedOnesDoWithMoreCalls) {
  for (TrialSpec spec : {small_bert(), small_gpt()}) {
    SCOPED_TRACE(spec.workload.model);
    spec = with_steps(std::move(spec), 9);
    spec.measure.structure = true;
    const TrialReply fused = reply_of(spec);
    spec.knobs["fused"] = false;
    const TrialReply composed = reply_of(spec);
    expect_same_losses(composed, fused, 1e-4);
    EXPECT_GT(operators_of(composed), operators_of(fused) + 20);
    EXPECT_EQ(composed.parameters, fused.parameters);
  }
}

TEST(Models, BackEndsOfAttentionComputeTheSameByDifferentOperators) {
  for (TrialSpec spec : {small_bert(), small_gpt()}) {
    SCOPED_TRACE(spec.workload.model);
    spec = with_steps(std::move(spec), 5);
    spec.measure.structure = true;
    spec.knobs["sdpa"] = std::string("flash");
    const TrialReply flash = reply_of(spec);
    spec.knobs["sdpa"] = std::string("math");
    const TrialReply math = reply_of(spec);
    expect_same_losses(math, flash, 1e-4);
    EXPECT_GT(operators_of(math), operators_of(flash)) << "math is made of products";
  }
}

TEST(Models, TheyTrainInBfloat16Too) {
  for (const TrialSpec& spec : {small_bert(), small_gpt()}) {
    for (const bool is_fused : {true, false}) {
      SCOPED_TRACE(spec.workload.model);
      TrialSpec exact = with_steps(spec, 5);
      exact.knobs["fused"] = is_fused;
      TrialSpec rounded = exact;
      rounded.knobs["amp"] = std::string("bf16");
      expect_same_losses(reply_of(rounded), reply_of(exact), 0.05);
    }
  }
}

TEST(Models, InferenceOfTokensGivesALossAtPowersOfTwo) {
  for (TrialSpec spec : {small_bert(), small_gpt()}) {
    spec.workload.task = "infer";
    const TrialReply reply = reply_of(with_steps(std::move(spec), 11));
    ASSERT_EQ(reply.losses.size(), 4U);  // 1 2 4 8
    EXPECT_NEAR(reply.losses[0].value, std::log(256), 0.8);
    EXPECT_DOUBLE_EQ(reply.losses[2].value, reply.losses[3].value) << "one batch, no training";
  }
}

}  // namespace
}  // namespace tune::worker
