// Token models and the sources of their tokens.

#include "small_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using runner::OutcomeKind;
using trial::TrialReply;
using trial::TrialSpec;

void expect_refused(const TrialSpec& spec, const std::string& word) {
  const runner::TrialOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, OutcomeKind::refused) << outcome.reason;
  EXPECT_NE(outcome.reason.find(word), std::string::npos) << outcome.reason;
}

bool is_ignored(const TrialReply& reply, const std::string& knob) {
  return std::any_of(reply.ignored_knobs.begin(), reply.ignored_knobs.end(), [&](const auto& seen) {
    return seen.name == knob && !seen.reason.empty();
  });
}

// A file of these tokens in the trial's folder.
TrialSpec with_tokens(const std::vector<std::uint16_t>& tokens) {
  TrialSpec spec = small_gpt();
  spec.data.source = "token-bin";
  spec.data.path = spec.folder + "/tokens.bin";
  std::ofstream(spec.data.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(tokens.data()),
             static_cast<std::streamsize>(tokens.size() * sizeof(tokens.front())));
  return spec;
}

TEST(Tokens, AFileIsReadInSequencesWithTheirEpochs) {
  TrialSpec spec = small_gpt_on_tokens();  // 16 sequences of 16
  spec.knobs["batch_size"] = std::int64_t{6};
  spec.measure.warmup_steps = 3;
  spec.measure.slice_steps = 6;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].samples, 32);
  EXPECT_EQ(reply.slices[0].epochs_begun, 2);
  EXPECT_EQ(reply.loader.samples, 48);
  EXPECT_EQ(reply.loader.bytes_read, 48 * 17 * 2);
  EXPECT_GT(reply.loader.read_ns, 0);
}

TEST(Tokens, EqualSeedsGiveEqualLossesAndOthersDoNot) {
  const TrialSpec spec = small_gpt_on_tokens();
  const TrialReply first = reply_of(spec);
  EXPECT_EQ(first.losses, reply_of(spec).losses);
  TrialSpec other = spec;
  other.workload.seed = 8;
  EXPECT_NE(first.losses, reply_of(other).losses);
}

TEST(Tokens, BertHidesTokensOfAFileToo) {
  TrialSpec spec = small_gpt_on_tokens();
  spec.workload.model = "bert-base";
  spec.workload.params["intermediate"] = std::int64_t{64};
  EXPECT_EQ(reply_of(spec).slices.size(), 1U);
}

TEST(Tokens, KnobsOfLoadersAndPixelsAreNamed) {
  TrialSpec spec = small_gpt_on_tokens();
  spec.knobs["num_workers"] = std::int64_t{2};
  spec.knobs["decode"] = std::string("roi");
  spec.knobs["dtype"] = std::string("f32");
  spec.knobs["channels_last"] = true;
  const TrialReply reply = reply_of(spec);
  for (const char* const knob : {"num_workers", "decode", "dtype", "channels_last"}) {
    EXPECT_TRUE(is_ignored(reply, knob)) << knob;
  }
  EXPECT_EQ(reply.ignored_knobs.size(), 4U);
}

TEST(Tokens, KnobsThatShapeTheStepAreNamedWhereTheyCannot) {
  TrialSpec spec = small_spec();  // the MLP
  spec.knobs["fused"] = false;
  spec.knobs["activation_checkpointing"] = true;
  const TrialReply reply = reply_of(spec);
  EXPECT_TRUE(is_ignored(reply, "fused"));
  EXPECT_TRUE(is_ignored(reply, "activation_checkpointing"));
  spec = small_gpt();
  spec.workload.task = "infer";
  spec.knobs["activation_checkpointing"] = true;
  spec.knobs["gradient_accumulation"] = std::int64_t{2};
  spec.knobs["fused"] = false;
  spec.knobs["sdpa"] = std::string("math");
  const TrialReply inference = reply_of(spec);
  EXPECT_TRUE(is_ignored(inference, "activation_checkpointing"));
  EXPECT_TRUE(is_ignored(inference, "gradient_accumulation"));
  EXPECT_TRUE(is_ignored(inference, "sdpa"));
  EXPECT_FALSE(is_ignored(inference, "fused"));
}

TEST(Tokens, BackEndsThatThisAttentionCannotHaveAreRefused) {
  TrialSpec spec = small_gpt();
  spec.knobs["sdpa"] = std::string("cudnn");
  expect_refused(spec, "is not available on the CPU (it has no such kernels) flash?");
  spec.knobs["sdpa"] = std::string("flash");
  spec.workload.params["attention_dropout"] = 0.1;
  expect_refused(spec, "its kernel has no dropout");
  spec.workload.task = "infer";
  EXPECT_EQ(run(spec).kind, OutcomeKind::completed) << "nothing is dropped then";
}

TEST(Tokens, ParamsThatMakeNoModelAreRefused) {
  TrialSpec spec = small_gpt();
  spec.workload.params["heads"] = std::int64_t{3};
  expect_refused(spec, "3 heads do not divide a width of 32");
  spec = small_gpt();
  spec.workload.params["layer"] = std::int64_t{2};
  expect_refused(spec, "workload.params.layer: gpt-small has no such number");
  spec = small_spec();
  spec.workload.params["layers"] = std::int64_t{2};
  expect_refused(spec, "mlp has no params");
}

TEST(Tokens, FilesThatHoldNoneAreRefused) {
  TrialSpec spec = small_gpt_on_tokens();
  spec.data.path = spec.folder + "/no-such.bin";
  expect_refused(spec, "no-such.bin");
  spec = with_tokens(std::vector<std::uint16_t>(16));  // one more is needed
  expect_refused(spec, "0 samples make no batch");
  std::ofstream(spec.data.path, std::ios::app | std::ios::binary) << "x";
  expect_refused(spec, "ends in the middle of a token");
  fs::resize_file(spec.data.path, 0);
  expect_refused(spec, "is empty");
}

TEST(Tokens, ATokenThatTheVocabularyLacksIsRefusedWithItsPlace) {
  std::vector<std::uint16_t> tokens(65, 7);
  tokens[40] = 256;
  const TrialSpec spec = with_tokens(tokens);
  expect_refused(spec, "token 256 at place 40 (the model has 256)");
}

TEST(Tokens, ImagesAndModelsOfTokensDoNotGoTogether) {
  TrialSpec spec = small_resnet_on_images();
  spec.workload.model = "gpt-small";
  expect_refused(spec, "contains images, but gpt-small reads tokens");
  spec = small_gpt_on_tokens();
  spec.workload.model = "resnet18";
  spec.workload.params.clear();
  expect_refused(spec, "contains no images");
}

}  // namespace
}  // namespace tune::worker
