#include "scenario/objective.h"

#include "sample_scenario.h"

#include <gtest/gtest.h>

namespace tune::scenario {
namespace {

std::string text_on(const machine::MachineFacts& machine, const std::string& objective) {
  const Scenario scenario =
      read_scenario(sample() + "objective: {" + objective + "}\n", "/some/sample.yaml");
  try {
    return objective_text(scenario, machine);
  } catch (const Error& error) {
    return std::string("refused: ") + error.what();
  }
}

machine::MachineFacts with_gpus(std::vector<std::string> gpus, const std::string& used = "") {
  machine::MachineFacts machine;
  machine.device = "cuda";
  machine.gpus = std::move(gpus);
  machine.gpu_name = used;
  return machine;
}

constexpr const char* kMfu = "maximize: mfu";

TEST(Objective, OfMfuNeedsTheGpusPeaks) {
  EXPECT_EQ(text_on(with_gpus({"NVIDIA L4"}), kMfu), "");
  EXPECT_EQ(text_on(with_gpus({"NVIDIA L4", "NVIDIA L4"}), kMfu), "");
  EXPECT_EQ(text_on(with_gpus({"NVIDIA A2", "NVIDIA L4"}, "NVIDIA L4"), kMfu), "")
      << "the one that trials use";
  EXPECT_EQ(text_on(with_gpus({"NVIDIA A2", "NVIDIA L4"}, "NVIDIA A2"), kMfu),
            "refused: /some/sample.yaml: objective `maximize: mfu` is not available here (peaks of "
            "NVIDIA A2 are not known) objective: {maximize: throughput}?");
}

TEST(Objective, OfMfuIsLeftToTheTrialsWhereNoNameIsKnown) {
  const std::string unknown =
      "whether the peaks of the GPU are known, which mfu needs, only its trials tell: without them "
      "throughput ranks the cells";
  EXPECT_EQ(text_on(with_gpus({}), kMfu), unknown) << "a log-in node";
  EXPECT_EQ(text_on(with_gpus({"NVIDIA A2", "NVIDIA L4"}), kMfu), unknown);
}

TEST(Objective, OfMfuIsRefusedOnTheCpuWithTheReason) {
  machine::MachineFacts machine;
  EXPECT_EQ(
      text_on(machine, kMfu),
      "refused: /some/sample.yaml: objective `maximize: mfu` is not available here (trials run "
      "on the CPU, and no table has the peak of a CPU) objective: {maximize: throughput}?");
  machine.no_gpu = "CUDA_VISIBLE_DEVICES hides every GPU";
  EXPECT_NE(text_on(machine, kMfu).find("of a CPU: CUDA_VISIBLE_DEVICES hides every GPU)"),
            std::string::npos);
}

TEST(Objective, OfEnergyIsReplacedOnTheCpu) {
  EXPECT_EQ(text_on({}, "minimize: energy_per_sample"),
            "energy_per_sample is counted by the drivers of GPUs: here throughput ranks the cells");
  EXPECT_EQ(text_on(with_gpus({"NVIDIA A2"}), "minimize: energy_per_sample"), "");
  EXPECT_EQ(text_on({}, "maximize: throughput"), "");
}

}  // namespace
}  // namespace tune::scenario
