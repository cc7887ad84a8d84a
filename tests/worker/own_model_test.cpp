// The user's own models in the real worker: archives from script_archives, and the plug-ins in
// plugins/ as shared libraries. What they read and how they train: own_model_steps_test.

#include "base/sha256.h"
#include "own_model_trial.h"
#include "small_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using runner::OutcomeKind;
using runner::TrialOutcome;
using trial::OwnModel;
using trial::TrialReply;
using trial::TrialSpec;

TrialSpec with_plugin(const std::string& mode = "", const std::string& library = "small_plugin") {
  TrialSpec spec = with_own(OwnModel::Kind::plugin, fs::path(PLUGINS) / ("lib" + library + ".so"));
  if (!mode.empty()) {
    spec.workload.params["mode"] = mode;
  }
  return spec;
}

bool is_ignored(const TrialReply& reply, const std::string& knob) {
  return std::any_of(reply.ignored_knobs.begin(), reply.ignored_knobs.end(), [&](const auto& seen) {
    return seen.name == knob;
  });
}

TEST(TorchScript, TrainsWithEveryOptimizerInEveryWay) {
  for (const char* const optimizer : {"sgd", "adamw"}) {
    double first = 0;
    for (const char* const call : {"loop", "foreach", "fused"}) {
      TrialSpec spec = with_archive("net.pt");
      spec.workload.optimizer = optimizer;
      spec.knobs["optimizer_impl"] = std::string(call);
      spec.measure.slice_steps = 20;
      const TrialReply reply = reply_of(spec);
      EXPECT_EQ(reply.parameters, 3 * 8 * 9 + 8 + 8 + 8 * 10 + 10);
      ASSERT_GE(reply.losses.size(), 2U);
      EXPECT_TRUE(std::isfinite(last_loss(reply)));
      EXPECT_NE(last_loss(reply), reply.losses.front().value) << "something is trained";
      first = first == 0 ? last_loss(reply) : first;
      EXPECT_NEAR(last_loss(reply), first, 1e-2) << optimizer << " " << call;
    }
  }
}

TEST(TorchScript, TakesLayoutAndPrecisionFromTheirKnobs) {
  TrialSpec spec = with_archive("net.pt");
  const TrialReply plain = reply_of(spec);
  spec.knobs["channels_last"] = true;
  spec.knobs["amp"] = std::string("bf16");
  const TrialReply changed = reply_of(spec);
  EXPECT_FALSE(is_ignored(changed, "channels_last")) << "the archive's contents are unknown";
  ASSERT_FALSE(plain.losses.empty() || changed.losses.empty());
  EXPECT_NEAR(changed.losses[0].value, plain.losses[0].value, 0.05);
  EXPECT_NE(changed.losses[0].value, plain.losses[0].value) << "bfloat16 has fewer digits";
}

TEST(TorchScript, AccumulatesAndIgnoresWhatOnlyModelsOfTuneCanDo) {
  TrialSpec spec = with_archive("net.pt");
  spec.knobs["gradient_accumulation"] = std::int64_t{2};
  spec.knobs["fused"] = false;
  spec.knobs["activation_checkpointing"] = true;
  spec.knobs["sdpa"] = std::string("flash");
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].samples, 2 * 4 * reply.slices[0].steps);
  EXPECT_TRUE(is_ignored(reply, "fused"));
  EXPECT_TRUE(is_ignored(reply, "activation_checkpointing"));
  EXPECT_FALSE(is_ignored(reply, "sdpa")) << "nobody knows";
}

TEST(TorchScript, ReadsImagesAndInfers) {
  TrialSpec images = with_archive("net.pt");
  const TrialSpec source = small_resnet_on_images();
  images.data = source.data;
  EXPECT_EQ(reply_of(images).slices.size(), 1U);
  TrialSpec inference = with_archive("net.pt");
  inference.workload.task = "infer";
  const TrialReply reply = reply_of(inference);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].phases.backward_ns, 0);
  EXPECT_TRUE(std::isfinite(last_loss(reply)));
}

TEST(TorchScript, TakesAnyShapeAndAnyOutput) {
  TrialSpec vector = with_archive("vector.pt");
  vector.workload.own.input = {16};
  vector.knobs["dtype"] = std::string("f32");
  const TrialReply reply = reply_of(vector);
  EXPECT_EQ(reply.parameters, 170);
  EXPECT_TRUE(is_ignored(reply, "dtype"));
  TrialSpec image = with_archive("image.pt");
  image.workload.own.loss = "mse";
  EXPECT_TRUE(std::isfinite(last_loss(reply_of(image))));
  image.workload.task = "infer";
  EXPECT_TRUE(std::isfinite(last_loss(reply_of(image)))) << "of an image, not of scores";
}

TEST(TorchScript, LeavesParametersAloneThatItsLossDoesNotReach) {
  for (const char* const call : {"loop", "foreach", "fused"}) {
    TrialSpec spec = with_archive("unused.pt");
    spec.knobs["optimizer_impl"] = std::string(call);
    EXPECT_EQ(reply_of(spec).slices.size(), 1U) << call;
  }
}

TEST(TorchScript, AnArchiveThatCannotBeUsedIsRefusedWithASentence) {
  const fs::path text = archives() / "text.pt";
  std::ofstream(text) << "it begins with PK like a zip but is not one";
  expect_refused_with(with_archive("text.pt"),
                      "text.pt is not a TorchScript archive that LibTorch can read");
  fs::copy_file(archives() / "net.pt", archives() / "cut.pt", fs::copy_options::overwrite_existing);
  fs::resize_file(archives() / "cut.pt", fs::file_size(archives() / "net.pt") / 2);
  expect_refused_with(with_archive("cut.pt"),
                      "cut.pt is not a TorchScript archive that LibTorch can read");
  expect_refused_with(with_archive("no_such.pt"), "there is no file");
  expect_refused_with(with_archive("two_arguments.pt"), "forward takes 2 arguments");
  expect_refused_with(with_archive("tuple.pt"), "forward returns a Tuple");
  expect_refused_with(with_archive("no_parameters.pt"), "has nothing to train");
  expect_refused_with(with_archive("frozen.pt"), "has nothing to train");
  TrialSpec frozen = with_archive("frozen.pt");
  frozen.workload.task = "infer";
  EXPECT_EQ(reply_of(frozen).slices.size(), 1U) << "it can still infer";
}

TEST(TorchScript, AShapeThatDoesNotFitIsRefusedWithIt) {
  TrialSpec spec = with_archive("vector.pt");
  spec.workload.own.input = {17};
  expect_refused_with(spec, "vector.pt: forward fails on [4, 17]");
  TrialSpec classes = with_archive("net.pt");
  classes.workload.classes = 1000;
  expect_refused_with(classes, "forward makes [4, 10] of [4, 3, 32, 32]");
  expect_refused_with(with_archive("image.pt"), "cross entropy needs scores, [4, 10]");
}

TEST(TorchScript, AFileThatChangedSinceIsRefused) {
  TrialSpec spec = with_archive("net.pt");
  spec.workload.own.sha256 = sha256_file_hex(spec.workload.own.path);
  EXPECT_EQ(run(spec).kind, OutcomeKind::completed);
  spec.workload.own.sha256[0] = spec.workload.own.sha256[0] == '0' ? '1' : '0';
  expect_refused_with(spec, "has changed since the trials were planned");
}

TEST(Plugin, TrainsWithEveryOptimizerInEveryWay) {
  for (const char* const optimizer : {"sgd", "adamw"}) {
    double first = 0;
    for (const char* const call : {"loop", "foreach", "fused"}) {
      TrialSpec spec = with_plugin();
      spec.workload.optimizer = optimizer;
      spec.knobs["optimizer_impl"] = std::string(call);
      const TrialReply reply = reply_of(spec);
      EXPECT_EQ(reply.parameters, 16 * 3 * 32 * 32 + 10 * 16 + 3);
      first = first == 0 ? last_loss(reply) : first;
      EXPECT_NEAR(last_loss(reply), first, 1e-2) << optimizer << " " << call;
    }
  }
}

TEST(Plugin, DeclaresItsKnobsAndGetsTheirValues) {
  TrialSpec spec = with_plugin();
  const TrialReply plain = reply_of(spec);
  ASSERT_EQ(plain.own_knobs.size(), 3U);
  EXPECT_EQ(plain.own_knobs[0].name, "plugin.width");
  EXPECT_EQ(plain.own_knobs[0].max, 4096);
  EXPECT_EQ(plain.own_knobs[1].choices, (std::vector<std::string>{"relu", "gelu"}));
  spec.knobs["plugin.width"] = std::int64_t{32};
  spec.knobs["plugin.activation"] = std::string("gelu");
  EXPECT_EQ(reply_of(spec).parameters, 32 * 3 * 32 * 32 + 10 * 32 + 3);
  TrialSpec doubled = with_plugin();
  doubled.knobs["plugin.doubled"] = true;
  ASSERT_FALSE(plain.losses.empty());
  EXPECT_NEAR(reply_of(doubled).losses.at(0).value, 2 * plain.losses[0].value, 1e-4)
      << "the same weights from the same seed";
}

TEST(Plugin, BringsItsOwnDataInBatchesOfAnyShape) {
  TrialSpec spec = with_plugin();
  spec.data = {.source = "plugin"};
  spec.workload.params["samples"] = std::int64_t{30};
  spec.knobs["num_workers"] = std::int64_t{2};
  spec.measure.slice_steps = 20;
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].epochs_begun, 2) << "8 batches of 4, the last of 2";
  EXPECT_LT(reply.slices[0].samples, 4 * reply.slices[0].steps);
  EXPECT_TRUE(is_ignored(reply, "num_workers"));
  spec.data.samples = 31;
  expect_refused_with(spec, "data.samples: 31, but libsmall_plugin.so has 30");
  spec.data.samples = 0;
  spec.workload.params.erase("samples");
  expect_refused_with(spec, "has no data of its own");
  spec.workload.params["samples"] = std::int64_t{30};
  spec.workload.params["mode"] = std::string("broken-batch");
  const TrialOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, OutcomeKind::crashed) << outcome.reason;
  EXPECT_NE(outcome.reason.find("first dimensions differ"), std::string::npos) << outcome.reason;
}

TEST(Plugin, InfersWhateverItReturns) {
  TrialSpec spec = with_plugin();
  spec.workload.task = "infer";
  const TrialReply reply = reply_of(spec);
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].phases.optimizer_ns, 0);
}

TEST(Plugin, AKnobThatItDoesNotHaveIsRefused) {
  TrialSpec spec = with_plugin();
  spec.knobs["plugin.widht"] = std::int64_t{32};
  expect_refused_with(spec, "knobs.plugin.widht: libsmall_plugin.so has no such knob");
  expect_refused_with(spec, "plugin.width?");
  spec = with_plugin();
  spec.knobs["plugin.width"] = std::int64_t{0};
  expect_refused_with(spec, "knobs.plugin.width: must be a whole number from 1 to 4096 (is 0");
  spec.knobs["plugin.width"] = std::string("wide");
  expect_refused_with(spec, "must be a whole number");
}

TEST(Plugin, WhatItsConstructorThrowsIsRefused) {
  expect_refused_with(with_plugin("throw-in-constructor"),
                      "libsmall_plugin.so threw in its constructor: depth must be above 0");
  expect_refused_with(with_plugin("missing-param"), "dropout is missing");
}

TEST(Plugin, WhatStepReturnsIsLookedAt) {
  expect_refused_with(with_plugin("vector"),
                      "step() returns a tensor of [4, 10] (task train needs the loss");
  expect_refused_with(with_plugin("no-parameters"), "has nothing to train");
  expect_refused_with(with_plugin("no-leaf"),
                      "that an operator made (only a leaf is trained) detach()?");
}

TEST(Plugin, ThatThrowsCrashesOrExitsIsAnOutcomeWithItsReason) {
  const auto outcome_of = [](const std::string& mode, std::int64_t at_step) {
    TrialSpec spec = with_plugin(mode);
    spec.workload.params["at_step"] = at_step;
    return run(spec);
  };
  const TrialOutcome threw = outcome_of("throw", 2);
  EXPECT_EQ(threw.kind, OutcomeKind::crashed);
  EXPECT_EQ(threw.reason, "libsmall_plugin.so threw in step(): boom");
  const TrialOutcome number = outcome_of("throw-int", 1);
  EXPECT_EQ(number.kind, OutcomeKind::crashed);
  EXPECT_EQ(number.reason,
            "libsmall_plugin.so threw in step(): something that is not a std::exception");
  const TrialOutcome backward = outcome_of("throw-in-backward", 2);
  EXPECT_EQ(backward.kind, OutcomeKind::crashed);
  EXPECT_EQ(backward.reason, "libsmall_plugin.so threw in backward: no way back");
  const TrialOutcome crashed = outcome_of("crash", 3);
  EXPECT_EQ(crashed.kind, OutcomeKind::crashed);
  EXPECT_EQ(crashed.reason, "SIGSEGV in phase measure");
  EXPECT_EQ(outcome_of("exit", 1).kind, OutcomeKind::garbled);
}

TEST(Plugin, ThatHangsIsKilledAtItsDeadline) {
  TrialSpec spec = with_plugin("hang");
  spec.timeout_ns = 6'000'000'000;
  EXPECT_EQ(run(spec).kind, OutcomeKind::timed_out);
}

TEST(Plugin, ThatLeaksRunsOutOfMemory) {
  const TrialOutcome outcome = run(with_plugin("leak"), worker_after("ulimit -v 3000000"));
  EXPECT_EQ(outcome.kind, OutcomeKind::out_of_memory) << outcome.reason;
}

TEST(Plugin, OfAnotherBuildIsRefusedByName) {
  const auto library = [](const std::string& name) { return with_plugin("", name); };
  expect_refused_with(
      library("other_contract"),
      "libother_contract.so implements version 2 of the contract (this tune-worker implements 1");
  expect_refused_with(library("other_torch"),
                      "libother_torch.so was built against LibTorch 2.10.0");
  expect_refused_with(library("other_abi"), "was built with another ABI of the standard library");
  expect_refused_with(library("other_sizes"), "lays out the types of the standard library");
  expect_refused_with(library("missing_symbol"), "undefined symbol: function_of_another_libtorch");
  expect_refused_with(library("missing_symbol"), "was it built against another LibTorch than");
  expect_refused_with(library("no_plugin"), "libno_plugin.so is not a plug-in of tune");
  expect_refused_with(library("bad_knobs"), "declares the knob 'Use Cache', which is invalid");
  expect_refused_with(library("no_such"), "there is no file");
  const fs::path text = archives() / "libtext.so";
  std::ofstream(text) << "no library";
  expect_refused_with(with_own(OwnModel::Kind::plugin, text), "libtext.so cannot be loaded");
}

}  // namespace
}  // namespace tune::worker
