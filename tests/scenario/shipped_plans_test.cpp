// What ships, on a machine that many have: a GPU and 16 cores.

#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

namespace tune::scenario {
namespace {

machine::MachineFacts with_gpu() {
  machine::MachineFacts machine;
  machine.cpus = machine.logical_cpus = 16;
  machine.device = "cuda";
  machine.gpus = {"NVIDIA H100 80GB HBM3"};
  return machine;
}

Scenario shipped(const std::string& name) {
  return load_scenario(std::filesystem::path(SOURCE_DIR) / "scenarios" / name);
}

TEST(ShippedPlans, FitTheirBudgetOnAGpu) {
  for (const char* const name : {"resnet18.yaml", "resnet18-gpu.yaml"}) {
    const Scenario scenario = shipped(name);
    const Plan plan = make_plan(scenario, with_gpu());
    ASSERT_TRUE(scenario.budget_ns.has_value());
    EXPECT_LE(plan_cost(scenario, plan).total_ns, *scenario.budget_ns) << name;
    EXPECT_TRUE(plan.notes.empty()) << plan.notes.front();
  }
}

TEST(ShippedPlans, TryWhatAGpuHas) {
  const Plan plan = make_plan(shipped("resnet18-gpu.yaml"), with_gpu());
  EXPECT_EQ(plan.cells.size(), 300U);
  ASSERT_EQ(plan.collapsed.size(), 1U) << plan.collapsed.front().knob;
  EXPECT_EQ(
      plan.collapsed.front().reason,
      "with fp16 the host reads whether gradients are finite, unless optimizer_impl is fused");
  std::set<std::string> tried;
  for (const Cell& cell : plan.cells) {
    for (const auto& [knob, value] : cell.changed) {
      tried.insert(knob + "=" + trial::to_text(value));
    }
  }
  for (const char* const setting : {"num_workers=16",
                                    "batch_size=512",
                                    "amp=fp16",
                                    "device_slots=3",
                                    "channels_last=true",
                                    "matmul_precision=high",
                                    "cuda_graphs=true",
                                    "optimizer_impl=fused"}) {
    EXPECT_TRUE(tried.contains(setting)) << setting;
  }
}

TEST(ShippedPlans, NameTheGpuThatIsUsedOfSeveral) {
  machine::MachineFacts machine = with_gpu();
  machine.used_gpu = "GPU 1 of 4 (NVIDIA L4)";
  const Plan plan = make_plan(shipped("resnet18.yaml"), machine);
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_EQ(plan.notes[0],
            "trials use one GPU, GPU 1 of 4 (NVIDIA L4); CUDA_VISIBLE_DEVICES chooses another");
}

}  // namespace
}  // namespace tune::scenario
