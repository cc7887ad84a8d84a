// What ships, on a machine that many have: a GPU and 16 cores.

#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <variant>

namespace tune::scenario {
namespace {

machine::MachineFacts with_gpu(std::int64_t cpus = 16) {
  machine::MachineFacts machine;
  machine.cpus = machine.logical_cpus = cpus;
  machine.device = "cuda";
  machine.gpus = {"NVIDIA H100 80GB HBM3"};
  return machine;
}

Scenario shipped(const std::string& name) {
  return load_scenario(std::filesystem::path(SOURCE_DIR) / "scenarios" / name);
}

std::set<std::string> tried(const Plan& plan) {
  std::set<std::string> settings;
  for (const Cell& cell : plan.cells) {
    for (const auto& [knob, value] : cell.changed) {
      settings.insert(knob + "=" + trial::to_text(value));
    }
  }
  return settings;
}

// What a plan costs is a lower bound: slow steps and data that must be made take the rest. Where
// shards keep resnet18.yaml, it only has to fit.
TEST(ShippedPlans, FitTheirBudgetOnAGpuWithAThirdToSpare) {
  for (const std::int64_t cpus : {2, 4, 8, 16, 64}) {
    for (const char* const name : {"resnet18.yaml", "resnet18-gpu.yaml"}) {
      const Scenario scenario = shipped(name);
      const Plan plan = make_plan(scenario, with_gpu(cpus));
      ASSERT_TRUE(scenario.budget_ns.has_value());
      const std::int64_t most =
          scenario.name == "resnet18-gpu" ? *scenario.budget_ns * 2 / 3 : *scenario.budget_ns;
      EXPECT_LE(plan_cost(scenario, plan).total_ns, most) << name << ", " << cpus << " cores";
      EXPECT_TRUE(plan.notes.empty()) << plan.notes.front();
    }
  }
}

TEST(ShippedPlans, TryTwoWorkersOnASmallMachine) {
  for (const std::int64_t cpus : {2, 3}) {
    const std::set<std::string> settings =
        tried(make_plan(shipped("resnet18-gpu.yaml"), with_gpu(cpus)));
    EXPECT_TRUE(settings.contains("num_workers=2"));
    EXPECT_FALSE(settings.contains("num_workers=4"));
    EXPECT_TRUE(settings.contains("batch_size=256"));
  }
  EXPECT_FALSE(
      tried(make_plan(shipped("resnet18-gpu.yaml"), with_gpu(4))).contains("num_workers=2"));
}

// Steps of large batches take seconds where few workers load them.
TEST(ShippedPlans, GiveLargeBatchesEnoughWorkers) {
  for (const Cell& cell : make_plan(shipped("resnet18-gpu.yaml"), with_gpu()).cells) {
    const auto batch = std::get<std::int64_t>(cell.knobs.at("batch_size"));
    const auto workers = std::get<std::int64_t>(cell.knobs.at("num_workers"));
    EXPECT_GE(workers, batch > 256 ? 8 : batch > 64 ? 4 : 0) << trial::to_text(cell.changed);
  }
}

TEST(ShippedPlans, TryWhatAGpuHas) {
  const Plan plan = make_plan(shipped("resnet18-gpu.yaml"), with_gpu());
  EXPECT_EQ(plan.cells.size(), 174U);
  ASSERT_EQ(plan.collapsed.size(), 1U) << plan.collapsed.front().knob;
  EXPECT_EQ(
      plan.collapsed.front().reason,
      "with fp16 the host reads whether gradients are finite, unless optimizer_impl is fused");
  const std::set<std::string> settings = tried(plan);
  for (const char* const setting : {"num_workers=16",
                                    "batch_size=512",
                                    "amp=fp16",
                                    "device_slots=3",
                                    "channels_last=true",
                                    "matmul_precision=high",
                                    "cuda_graphs=true",
                                    "optimizer_impl=fused"}) {
    EXPECT_TRUE(settings.contains(setting)) << setting;
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
