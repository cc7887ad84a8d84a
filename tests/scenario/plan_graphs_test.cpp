// Where the knob cuda_graphs is not applicable.

#include "scenario/plan.h"
#include "scenario/read_knobs.h"
#include "scenario/scenario.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::scenario {

namespace {

machine::MachineFacts on(const std::string& device) {
  machine::MachineFacts machine;
  machine.cpu_flags = {"avx2"};
  machine.cpus = 2;
  machine.device = device;
  return machine;
}

Scenario of_grid(const std::string& grid, const std::string& rest = "") {
  return read_scenario(
      "tune: 1\nname: sample\nworkload: {model: resnet18}\n"
      "data: {source: generated-jpeg}\ngrid: " +
          grid + "\n" + rest,
      "sample.yaml");
}

std::string collapsed_of(const Plan& plan) {
  std::string text;
  for (const CollapsedKnob& entry : plan.collapsed) {
    text += (text.empty() ? "" : "\n") + entry.knob + ": " + entry.reason + " x" +
            std::to_string(entry.cells);
  }
  return text;
}

TEST(PlannedGraphs, OnlyAStepThatTheHostTakesNoPartInIsCaptured) {
  const auto plan_of = [](const std::string& grid, const std::string& optimizer) {
    Scenario scenario = of_grid("{cuda_graphs: [false, true]" + grid + "}");
    scenario.workload.optimizer = optimizer;
    return make_plan(scenario, on("cuda"));
  };
  const Plan sgd = plan_of("", "sgd");
  ASSERT_EQ(sgd.cells.size(), 2U);
  EXPECT_EQ(trial::to_text(sgd.cells[1].changed), "cuda_graphs=true");
  EXPECT_EQ(collapsed_of(sgd), "");
  const Plan adamw = plan_of(", optimizer_impl: [loop, foreach, fused]", "adamw");
  EXPECT_EQ(adamw.cells.size(), 4U);
  EXPECT_EQ(collapsed_of(adamw),
            "cuda_graphs: AdamW counts its steps on the host, unless optimizer_impl is fused x2");
  const Plan fp16 = plan_of(", amp: [fp16], optimizer_impl: [loop, fused]", "sgd");
  EXPECT_EQ(collapsed_of(fp16),
            "cuda_graphs: with fp16 the host reads whether gradients are finite, unless "
            "optimizer_impl is fused x1");
  const Plan rest =
      plan_of(", gradient_accumulation: [1, 2], activation_checkpointing: [false, true]", "sgd");
  EXPECT_EQ(collapsed_of(rest),
            "cuda_graphs: activation_checkpointing restores random numbers on the host x1\n"
            "cuda_graphs: with gradient_accumulation a step waits for further batches x2");
  EXPECT_EQ(collapsed_of(plan_of(", devices: [2]", "sgd")),
            "cuda_graphs: with several devices the host starts the averaging of gradients x1");
}

TEST(PlannedGraphs, ABaselineThatIsNotWhatItSaysIsNoted) {
  Scenario scenario = of_grid("{num_workers: [0, 2]}", "baseline: {cuda_graphs: true}\n");
  EXPECT_TRUE(make_plan(scenario, on("cuda")).notes.empty());
  scenario.workload.optimizer = "adamw";
  EXPECT_EQ(make_plan(scenario, on("cuda")).notes,
            std::vector<std::string>{"the baseline's cuda_graphs true does nothing: AdamW counts "
                                     "its steps on the host, unless optimizer_impl is fused"});
}

TEST(PlannedGraphs, WhatIsNotTrainedIsNotCaptured) {
  EXPECT_EQ(collapsed_of(make_plan(of_grid("{cuda_graphs: [false, true]}"), on("cpu"))),
            "cuda_graphs: the trials run on the CPU x1");
  Scenario scenario = of_grid("{cuda_graphs: [false, true]}");
  scenario.workload.task = "infer";
  EXPECT_EQ(collapsed_of(make_plan(scenario, on("cuda"))),
            "cuda_graphs: only a training step is captured x1");
}

}  // namespace
}  // namespace tune::scenario
