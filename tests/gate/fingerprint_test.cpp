#include "gate/fingerprint.h"

#include <gtest/gtest.h>

namespace tune::gate {
namespace {

Fingerprint sample() {
  Fingerprint print;
  print.device = "cpu";
  print.cpu_model = "Some CPU";
  print.cpus = 4;
  print.torch_version = "2.11.0";
  print.cpu_capability = "AVX512";
  print.scenario_sha256 = "ab";
  print.data_sha256 = "cd";
  return print;
}

TEST(Fingerprint, EverythingThatDiffersIsThereAndTheFirstIsTheSentence) {
  Fingerprint now = sample();
  EXPECT_TRUE(differences(sample(), now).empty());
  EXPECT_EQ(difference(sample(), now), "");
  now.data_sha256 = "ef";
  EXPECT_EQ(difference(sample(), now), "it was measured with other data");
  now.scenario_sha256 = "ef";
  EXPECT_EQ(difference(sample(), now), "it was measured with another text of the scenario");
  now.torch_version = "2.12.0";
  now.cpus = 2;
  now.variables = {"OMP_NUM_THREADS=2"};
  EXPECT_EQ(difference(sample(), now), "it was measured with CPUs 4, now it is 2");
  const auto all = differences(sample(), now);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[1].what, "variables");
  EXPECT_EQ(all[1].then, "none");
  EXPECT_EQ(all[2].what, kLibTorch);
  EXPECT_EQ(all[2].now, "2.12.0");
  EXPECT_EQ(all[3].what, kScenarioText);
  EXPECT_EQ(all[4].what, kData);
}

TEST(Fingerprint, WhatWasProbedHoldsForCpuAndGpu) {
  machine::MachineFacts cpu, gpu;
  gpu.device = "cuda";
  EXPECT_NE(machine_id(cpu), machine_id(gpu));
  EXPECT_EQ(probed_machine_id(cpu), probed_machine_id(gpu));
}

TEST(Fingerprint, AWorkerThatHasNotToldYetIsNotCompared) {
  Fingerprint now = sample();
  now.torch_version = now.cpu_capability = "";
  EXPECT_EQ(difference(sample(), now), "");
  EXPECT_EQ(difference(now, sample()), "");
}

}  // namespace
}  // namespace tune::gate
