// Scenarios that name a model of the user's own. Nothing is loaded here: what only a worker can
// know is in tests/worker/own_model_test.cpp.

#include "sample_scenario.h"
#include "scenario/edit_scenario.h"
#include "scenario/plan.h"
#include "scenario/read_knobs.h"

#include <gtest/gtest.h>

namespace tune::scenario {

namespace {

using trial::KnobValue;
using trial::OwnModel;

std::string text(const std::string& workload,
                 const std::string& data = "{source: synthetic}",
                 const std::string& baseline = "{batch_size: 32}",
                 const std::string& grid = "{amp: [none, bf16]}") {
  return "tune: 1\nname: sample\nworkload: " + workload + "\ndata: " + data +
         "\nbaseline: " + baseline + "\ngrid: " + grid + "\n";
}

Scenario read(const std::string& written) {
  return read_scenario(written, "/some/where/sample.yaml");
}

std::string with_plugin(const std::string& baseline, const std::string& grid) {
  return text("{plugin: build/libmymodel.so}", "{source: synthetic}", baseline, grid);
}

machine::MachineFacts laptop() {
  machine::MachineFacts machine;
  machine.cpus = 2;
  return machine;
}

std::string collapsed_knobs(const Plan& plan) {
  std::string names;
  for (const CollapsedKnob& entry : plan.collapsed) {
    names += entry.knob + ": " + entry.reason + "\n";
  }
  return names;
}

TEST(OwnModelScenario, AnArchiveIsRelativeToTheFile) {
  const Scenario scenario = read(text("{torchscript: ../model.pt, input: [3, 96, 96], loss: mse}"));
  const OwnModel& own = scenario.workload.own;
  EXPECT_EQ(own.kind, OwnModel::Kind::torchscript);
  EXPECT_EQ(own.path, "/some/model.pt");
  EXPECT_EQ(own.loss, "mse");
  EXPECT_EQ(own.sha256, "") << "nobody has looked at the file";
  EXPECT_EQ(scenario.workload.model, "torchscript:model.pt");
  EXPECT_TRUE(own.takes_images()) << "a square of three colours";
  EXPECT_EQ(scenario.workload.image_size, 96);
}

TEST(OwnModelScenario, WithoutAnInputItIsAnImageOfTheUsualSize) {
  const Scenario scenario = read(text("{torchscript: model.pt, image_size: 64}"));
  EXPECT_TRUE(scenario.workload.own.takes_images());
  EXPECT_EQ(scenario.workload.image_size, 64);
  EXPECT_EQ(scenario.workload.own.loss, "cross-entropy");
}

TEST(OwnModelScenario, AnyOtherShapeStaysOne) {
  for (const char* const shape : {"[128]", "[1, 28, 28]", "[3, 32, 64]", "[3, 4, 4]"}) {
    const Scenario scenario =
        read(text(std::string("{torchscript: model.pt, input: ") + shape + "}"));
    EXPECT_FALSE(scenario.workload.own.takes_images()) << shape;
  }
}

TEST(OwnModelScenario, APluginHasParamsOfEveryKind) {
  const Scenario scenario = read(text(
      "{plugin: build/libmymodel.so, params: {width: 64, dropout: 0.5, fast: true, act: gelu}}",
      "{source: plugin}"));
  EXPECT_EQ(scenario.workload.own.kind, OwnModel::Kind::plugin);
  EXPECT_EQ(scenario.workload.own.path, "/some/where/build/libmymodel.so");
  EXPECT_EQ(scenario.workload.model, "plugin:libmymodel.so");
  EXPECT_EQ(trial::to_text(scenario.workload.params), "act=gelu dropout=0.5 fast=true width=64");
  EXPECT_EQ(scenario.data.samples, 0) << "the plug-in knows";
}

TEST(OwnModelScenario, APackageInfers) {
  const Scenario scenario = read(text("{package: ../model.pt2, input: [16]}"));
  EXPECT_EQ(scenario.workload.own.kind, OwnModel::Kind::package);
  EXPECT_EQ(scenario.workload.own.path, "/some/model.pt2");
  EXPECT_EQ(scenario.workload.model, "package:model.pt2");
  EXPECT_EQ(scenario.workload.task, "infer") << "it has no other task";
  EXPECT_EQ(read(text("{package: a.pt2, task: infer}")).workload.task, "infer");
  EXPECT_EQ(complaints_about(text("{package: a.pt2, task: train}")),
            "sample.yaml:3:34: 'workload.task' does not go with 'package' (compiled code has no "
            "backward pass) infer?");
  EXPECT_EQ(complaints_about(text("{package: a.pt2, loss: mse}")),
            "sample.yaml:3:34: 'workload.loss' does not belong to this model (a package is "
            "compiled for inference)");
  EXPECT_EQ(complaints_about(text("{package: a.pt2, torchscript: a.pt}")),
            "sample.yaml:3:21: 'workload.package' does not go with 'torchscript' (a trial has one "
            "model)");
}

TEST(OwnModelScenario, ThereIsOneModel) {
  EXPECT_EQ(
      complaints_about(text("{task: train}")),
      "sample.yaml:3:11: the key 'workload.model' is missing (or 'command', for your own script; "
      "'torchscript', 'package' or 'plugin', for a model of your own)");
  EXPECT_EQ(complaints_about(text("{model: mlp, torchscript: model.pt}")),
            "sample.yaml:3:37: 'workload.torchscript' does not go with 'model' (a trial has one "
            "model)");
  EXPECT_EQ(complaints_about(text("{torchscript: 3}")),
            "sample.yaml:3:25: 'workload.torchscript' must be text (is '3')");
  EXPECT_EQ(complaints_about(text("{plugin: ''}")), "sample.yaml:3:20: 'workload.plugin' is empty");
}

TEST(OwnModelScenario, WhatBelongsToAnotherModelIsRefused) {
  EXPECT_EQ(complaints_about(text("{model: mlp, input: [3, 64, 64]}")),
            "sample.yaml:3:31: 'workload.input' does not belong to this model (for a model of your "
            "own: torchscript, package or plugin)");
  EXPECT_EQ(complaints_about(text("{torchscript: model.pt, params: {width: 3}}")),
            "sample.yaml:3:43: 'workload.params' does not belong to this model (an archive has no "
            "parameters of this kind)");
  EXPECT_EQ(
      complaints_about(text("{plugin: a.so, loss: mse}")),
      "sample.yaml:3:32: 'workload.loss' does not belong to this model (a plug-in computes its "
      "own loss)");
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt, image_size: 64, input: [3, 64, 64]}")),
            "sample.yaml:3:43: 'workload.image_size' does not go with 'input' ('input' says it)");
}

TEST(OwnModelScenario, NonsenseIsRefusedAtItsPlace) {
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt, input: 3}")),
            "sample.yaml:3:38: 'workload.input' must be the shape of one sample, such as [3, 224, "
            "224] (is '3')");
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt, input: []}")),
            "sample.yaml:3:38: 'workload.input' is empty (needs at least one value)");
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt, input: [0]}")),
            "sample.yaml:3:39: 'workload.input' must be a whole number from 1 to 1000000 (is '0')");
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt, input: [100000, 100000]}")),
            "sample.yaml:3:38: a sample of [100000, 100000] is too large (at most 100 million "
            "numbers)");
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt, loss: hinge}")),
            "sample.yaml:3:37: unknown value 'hinge' for 'workload.loss' (one of: cross-entropy, "
            "mse)");
  EXPECT_EQ(
      complaints_about(text("{plugin: a.so, params: {layers: [1, 2]}}")),
      "sample.yaml:3:43: 'workload.params.layers' must be true, false, a number or a text (is a "
      "list)");
}

TEST(OwnModelScenario, DataMustFitTheModel) {
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt, input: [128]}", "{source: generated-jpeg}")),
            "sample.yaml:4:16: source 'generated-jpeg' delivers images ('workload.input' is [128]) "
            "input: "
            "[3, 224, 224]?");
  EXPECT_EQ(complaints_about(text("{model: mlp}", "{source: plugin}")),
            "sample.yaml:4:16: source 'plugin' needs a plug-in ('workload.plugin' names none) "
            "synthetic?");
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt}", "{source: generated-jpeg}")), "");
  EXPECT_EQ(complaints_about(text("{torchscript: a.pt}", "{source: generated-tokens}")),
            "sample.yaml:4:16: source 'generated-tokens' delivers sequences of tokens (a sample is "
            "[3, 224, 224]) input: [128]?");
  EXPECT_EQ(
      complaints_about(text("{plugin: a.so, input: [2, 128]}", "{source: token-bin, path: a.bin}")),
      "sample.yaml:4:16: source 'token-bin' delivers sequences of tokens (a sample is "
      "[2, 128]) input: [128]?");
}

TEST(OwnModelScenario, TokensAreInt64WhereTheSourceHoldsThemOrTheScenarioSaysSo) {
  const auto takes_tokens = [](const std::string& workload, const std::string& data) {
    return read(text(workload, data)).workload.own.takes_tokens();
  };
  const std::string plain = "{torchscript: a.pt, input: [128]}";
  EXPECT_TRUE(takes_tokens(plain, "{source: token-bin, path: a.bin}"));
  EXPECT_TRUE(takes_tokens(plain, "{source: generated-tokens}"));
  EXPECT_FALSE(takes_tokens(plain, "{source: synthetic}")) << "128 real numbers";
  EXPECT_TRUE(
      takes_tokens("{plugin: a.so, input: [128], input_type: int64}", "{source: synthetic}"));
  EXPECT_FALSE(takes_tokens("{torchscript: a.pt, input_type: float32}", "{source: synthetic}"));
}

TEST(OwnModelScenario, ATypeThatTheDataDoNotHaveIsRefused) {
  const auto complaints = [](const std::string& workload, const std::string& data) {
    return complaints_about(text("{plugin: a.so, " + workload + "}", data));
  };
  EXPECT_EQ(complaints("input: [128], input_type: float32", "{source: generated-tokens}"),
            "sample.yaml:3:52: 'workload.input_type' does not fit source 'generated-tokens' "
            "(tokens are whole numbers) int64?");
  EXPECT_EQ(complaints("input_type: int64", "{source: generated-jpeg}"),
            "sample.yaml:3:38: 'workload.input_type' does not fit source 'generated-jpeg' (it "
            "delivers images) float32?");
  EXPECT_EQ(complaints("input_type: int64", "{source: synthetic}"),
            "sample.yaml:3:38: 'workload.input_type' int64 is for sequences of tokens (a sample is "
            "[3, 224, 224]) input: [128]?");
  EXPECT_EQ(complaints("input_type: int64", "{source: plugin}"),
            "sample.yaml:3:38: 'workload.input_type' does not go with source 'plugin' (the plug-in "
            "makes its own batches)");
  EXPECT_EQ(complaints("input: [128], classes: 10", "{source: generated-tokens}"),
            "sample.yaml:3:49: source 'generated-tokens' has at least 128 different tokens "
            "('workload.classes' is 10)");
  EXPECT_EQ(complaints_about(text("{model: mlp, input_type: int64}")),
            "sample.yaml:3:36: 'workload.input_type' does not belong to this model (for a model of "
            "your own: torchscript, package or plugin)");
}

TEST(PluginKnobs, StandInBaselineAndGrid) {
  const Scenario scenario =
      read(with_plugin("{batch_size: 32, plugin.width: 64, plugin.act: relu, plugin.fast: false}",
                       "{plugin.width: [64, 128], plugin.act: [relu, gelu], amp: [none, bf16]}"));
  EXPECT_EQ(scenario.baseline.at("plugin.width"), KnobValue(std::int64_t{64}));
  EXPECT_EQ(scenario.baseline.at("plugin.fast"), KnobValue(false));
  ASSERT_EQ(scenario.grid.size(), 3U);
  EXPECT_EQ(scenario.grid[0].first, "plugin.width");
  const Plan plan = make_plan(scenario, laptop());
  ASSERT_EQ(plan.cells.size(), 8U);
  EXPECT_EQ(trial::to_text(plan.cells[7].changed), "amp=bf16 plugin.act=gelu plugin.width=128");
}

TEST(PluginKnobs, MayBeNamedInExpressions) {
  const std::string grid = "{plugin.width: [64, 128], batch_size: [32, 64]}\n";
  Scenario scenario =
      read(with_plugin("{batch_size: 32, plugin.width: 64}",
                       grid + "forbid: [\"plugin.width > 64 and batch_size > 32\"]"));
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 3U);
  scenario.only = {read_only("plugin.width == 128", scenario.baseline)};
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 2U);
  EXPECT_EQ(
      complaints_about(with_plugin("{plugin.width: 64}", grid + "forbid: [\"plugin.widht > 64\"]")),
      "sample.yaml:7:11: unknown name `plugin.widht` (no metric, knob or machine fact) did "
      "you mean `plugin.width`?");
}

TEST(PluginKnobs, NeedAPluginAndABaselineOfTheirType) {
  EXPECT_EQ(
      complaints_about(text("{model: mlp}", "{source: synthetic}", "{plugin.width: 64}")),
      "sample.yaml:5:12: 'plugin.width' is a knob of a plug-in ('workload.plugin' names none)");
  EXPECT_EQ(
      complaints_about(
          text("{model: mlp}", "{source: synthetic}", "{batch_size: 32}", "{plugin.width: [64]}")),
      "sample.yaml:6:8: 'plugin.width' is a knob of a plug-in ('workload.plugin' names none)");
  EXPECT_EQ(
      complaints_about(with_plugin("{batch_size: 32}", "{plugin.width: [64]}")),
      "sample.yaml:6:8: the baseline has no 'plugin.width' (what you run today of a knob that "
      "is tried) baseline: {plugin.width: ...}?");
  EXPECT_EQ(complaints_about(with_plugin("{plugin.width: 64}", "{plugin.width: [64, wide]}")),
            "sample.yaml:6:27: 'grid.plugin.width' must be a whole number, as in the baseline (is "
            "'wide')");
  EXPECT_EQ(complaints_about(with_plugin("{plugin.width: 64}", "{plugin.width: [64, 64]}")),
            "sample.yaml:6:27: 'grid.plugin.width' holds '64' twice");
}

TEST(PluginKnobs, AreWrittenLikeKnobs) {
  EXPECT_EQ(
      complaints_about(with_plugin("{plugin.width: 0.5}", "{amp: [bf16]}")),
      "sample.yaml:5:26: 'baseline.plugin.width' must be true, false, a whole number or a word "
      "(is '0.5')");
  EXPECT_EQ(complaints_about(with_plugin("{plugin.width: 64}", "{plugin.width: 64}")),
            "sample.yaml:6:22: 'grid.plugin.width' must be a list (is '64')");
  EXPECT_EQ(
      complaints_about(with_plugin("{plugin.Width: 64}", "{amp: [bf16]}")),
      "sample.yaml:5:12: unknown knob 'plugin.Width' (knobs are listed by 'tune list knobs')");
}

TEST(PluginKnobs, ChangeInTheTextLikeOthers) {
  const std::string before = with_plugin("{batch_size: 32, plugin.width: 64}", "{amp: [bf16]}");
  const std::string after =
      with_baseline(before, "sample.yaml", {{"plugin.width", KnobValue(std::int64_t{128})}});
  EXPECT_EQ(read(after).baseline.at("plugin.width"), KnobValue(std::int64_t{128}));
  EXPECT_EQ(with_baseline(after, "sample.yaml", {{"plugin.width", KnobValue(std::int64_t{64})}}),
            before);
}

TEST(OwnModelPlan, NobodyKnowsWhetherItConvolvesOrAttends) {
  const Plan plan =
      make_plan(read(text("{torchscript: a.pt}",
                          "{source: synthetic}",
                          "{batch_size: 8}",
                          "{channels_last: [false, true], sdpa: [auto, math, cudnn]}")),
                laptop());
  EXPECT_EQ(plan.cells.size(), 4U) << "the CPU has no cudnn";
  EXPECT_EQ(collapsed_knobs(plan), "");
}

TEST(OwnModelPlan, APackageWasCompiledWithItsOwnPrecisionAndLayout) {
  const Plan plan =
      make_plan(read(text("{package: model.pt2}",
                          "{source: synthetic}",
                          "{batch_size: 32}",
                          "{amp: [none, bf16], channels_last: [false, true], sdpa: [auto, math]}")),
                laptop());
  EXPECT_EQ(plan.cells.size(), 1U);
  const std::string why = ": the package was compiled with its own\n";
  EXPECT_EQ(collapsed_knobs(plan), "sdpa" + why + "channels_last" + why + "amp" + why);
}

TEST(OwnModelPlan, WaysOfComputingThatOnlyModelsOfTuneHaveMeanNothing) {
  const Plan plan = make_plan(
      read(text(
          "{torchscript: a.pt}",
          "{source: synthetic}",
          "{batch_size: 8, sdpa: math, fused: false}",
          "{fused: [false, true], activation_checkpointing: [false, true], sdpa: [math, flash]}")),
      laptop());
  EXPECT_EQ(plan.cells.size(), 2U) << "sdpa may still matter";
  EXPECT_EQ(collapsed_knobs(plan),
            "activation_checkpointing: tune does not know the blocks of your own model\n"
            "fused: only tune's models can be composed\n");
}

TEST(OwnModelPlan, KnobsOfTheLoaderMeanNothingToAPluginsOwnData) {
  const Plan plan =
      make_plan(read(text("{plugin: a.so}",
                          "{source: plugin}",
                          "{batch_size: 8}",
                          "{num_workers: [0, 2], dtype: [u8, f32], amp: [none, bf16]}")),
                laptop());
  EXPECT_EQ(plan.cells.size(), 2U);
  EXPECT_EQ(collapsed_knobs(plan),
            "dtype: the plug-in makes its own batches\n"
            "num_workers: the plug-in makes its own batches\n");
}

TEST(OwnModelPlan, OnlyImagesComeAsBytes) {
  const Plan plan = make_plan(read(text("{torchscript: a.pt, input: [128]}",
                                        "{source: synthetic}",
                                        "{batch_size: 8}",
                                        "{dtype: [u8, f32], amp: [none, bf16]}")),
                              laptop());
  EXPECT_EQ(plan.cells.size(), 2U);
  EXPECT_EQ(collapsed_knobs(plan), "dtype: only images are delivered as bytes\n");
}

}  // namespace

}  // namespace tune::scenario
