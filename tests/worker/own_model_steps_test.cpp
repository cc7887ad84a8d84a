// What the user's own models read, and how they train: sequences of tokens, parameters that only
// some steps reach, batches of only one size.

#include "own_model_trial.h"
#include "small_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tune::worker {
namespace {

using trial::OwnModel;
using trial::TrialReply;
using trial::TrialSpec;

TrialSpec with_tokens(const std::string& archive) {
  TrialSpec spec = with_archive(archive);
  spec.workload.own.input = {16};
  spec.workload.own.input_type = OwnModel::InputType::int64;
  spec.workload.classes = 256;
  return spec;
}

double loss_at(const TrialReply& reply, std::int64_t step) {
  const auto found = std::find_if(reply.losses.begin(),
                                  reply.losses.end(),
                                  [&](const trial::Loss& loss) { return loss.step == step; });
  return found == reply.losses.end() ? std::nan("") : found->value;
}

TEST(OwnModelTokens, AnEmbeddingTrainsOnResidentSequences) {
  TrialSpec spec = with_tokens("tokens.pt");
  spec.workload.optimizer = "adamw";
  spec.workload.lr = 0.05;
  spec.measure.slice_steps = 32;
  const TrialReply reply = reply_of(spec);
  EXPECT_EQ(reply.parameters, 256 * 8 + 8 * 256 + 256);
  EXPECT_NEAR(loss_at(reply, 1), std::log(256.0), 1.5) << "of 256 different tokens";
  EXPECT_LT(loss_at(reply, 32), loss_at(reply, 4)) << "of the same batch, for four are resident";
  spec.workload.task = "infer";
  EXPECT_TRUE(std::isfinite(loss_at(reply_of(spec), 1)));
}

TEST(OwnModelTokens, AFileOfThemIsReadInSequences) {
  TrialSpec spec = with_tokens("tokens.pt");
  spec.data = small_gpt_on_tokens().data;  // 16 sequences of 16, below 256
  const TrialReply reply = reply_of(spec);
  EXPECT_GT(reply.loader.bytes_read, 0);
  EXPECT_TRUE(std::isfinite(last_loss(reply)));
  spec.workload.classes = 300;
  expect_refused_with(spec, "cross entropy needs scores, [4, 16, 300]: workload.classes");
  spec.workload.classes = 10;
  expect_refused_with(spec, "a larger workload.classes?");
}

TEST(OwnModelTokens, AClassifierOfSequencesTrains) {
  TrialSpec spec = with_tokens("texts.pt");
  spec.workload.optimizer = "adamw";
  spec.workload.lr = 0.05;
  spec.measure.slice_steps = 32;
  const TrialReply reply = reply_of(spec);
  EXPECT_NEAR(loss_at(reply, 1), std::log(5.0), 1) << "of 5 classes";
  EXPECT_LT(loss_at(reply, 32), loss_at(reply, 4)) << "of the same batch, for four are resident";
}

TEST(OwnModelTokens, ScoresAreThoseOfEveryTokenOrOfAllTogether) {
  expect_refused_with(with_tokens("rating.pt"),
                      "forward makes [4, 1] of [4, 16] (cross entropy needs scores, [4, 16, 256]: "
                      "workload.classes, or those of a whole sequence, [N, classes]) loss: mse?");
  TrialSpec spec = with_tokens("rating.pt");
  spec.workload.own.loss = "mse";
  EXPECT_TRUE(std::isfinite(last_loss(reply_of(spec))));
}

TEST(OwnModelTokens, MoreOfThemThanAnEmbeddingHasAreRefused) {
  TrialSpec spec = with_tokens("tokens.pt");
  spec.workload.classes = 10'000;
  expect_refused_with(spec, "workload.classes how many tokens there are)");
}

TEST(OwnModelTokens, AnEmbeddingOfRealNumbersIsAskedForItsType) {
  TrialSpec spec = with_tokens("tokens.pt");
  spec.workload.own.input_type = OwnModel::InputType::float32;
  expect_refused_with(spec, "input_type: int64?");
  spec = with_tokens("tokens.pt");
  spec.workload.own.input = {4, 16};
  expect_refused_with(spec, "int64 is for sequences of tokens");
}

TEST(OwnModelTokens, APluginGetsThemToo) {
  TrialSpec spec =
      with_own(OwnModel::Kind::plugin, std::filesystem::path(PLUGINS) / "libsmall_plugin.so");
  spec.workload.own.input = {16};
  spec.workload.own.input_type = OwnModel::InputType::int64;
  spec.workload.params["mode"] = std::string("tokens");
  EXPECT_TRUE(std::isfinite(last_loss(reply_of(spec))));
}

TEST(OwnModelSteps, ParametersThatAreReachedLaterAreTrained) {
  for (const char* const optimizer : {"sgd", "adamw"}) {
    double of_loop = 0;
    for (const char* const call : {"loop", "foreach", "fused"}) {
      TrialSpec spec = with_archive("late.pt");
      spec.workload.own.loss = "mse";
      spec.workload.optimizer = optimizer;
      spec.workload.lr = 0.1;
      spec.workload.momentum = 0.5;
      spec.knobs["optimizer_impl"] = std::string(call);
      spec.measure.slice_steps = 40;
      const TrialReply reply = reply_of(spec);
      EXPECT_LT(last_loss(reply), 0.2 * loss_at(reply, 4)) << optimizer << " " << call;
      of_loop = of_loop == 0 ? last_loss(reply) : of_loop;
      EXPECT_NEAR(last_loss(reply), of_loop, 1e-4) << optimizer << " " << call;
    }
  }
}

TEST(OwnModelSteps, WhatItRaisesIsToldInItsOwnWords) {
  expect_refused_with(with_archive("raises.pt"),
                      "raises.pt: forward fails on [4, 3, 32, 32] (ValueError: needs 4 channels; ");
}

TEST(OwnModelSteps, AnArchiveOfOneBatchSizeFailsOnASmallerLastOne) {
  TrialSpec spec = with_archive("traced.pt");
  spec.workload.own.input = {16};
  EXPECT_EQ(reply_of(spec).slices.size(), 1U);
  spec.data.samples = 7;
  expect_refused_with(spec, "forward fails on [3, 16]");
}

}  // namespace
}  // namespace tune::worker
