#include "scenario/machine.h"

#include "sample_scenario.h"
#include "scenario/plan.h"

#include <gtest/gtest.h>

namespace tune::scenario {

namespace {

Scenario with(const std::string& workload, const std::string& profile = "") {
  return read_scenario(sample("{model: resnet18}", "{model: resnet18" + workload + "}") + profile,
                       "sample.yaml");
}

TEST(SettleDevice, AutoIsAGpuWhereThereIsOne) {
  EXPECT_EQ(settled_device("auto", true), "cuda");
  EXPECT_EQ(settled_device("auto", false), "cpu");
}

TEST(SettleDevice, WhatIsAskedForIsTakenAtItsWord) {
  EXPECT_EQ(settled_device("cuda", false), "cuda") << "a worker says why it cannot be had";
  EXPECT_EQ(settled_device("cpu", true), "cpu");
}

TEST(SettleDevice, AGpuThatCannotBeUsedIsTheFirstNoteOfAPlan) {
  machine::MachineFacts machine;
  EXPECT_TRUE(make_plan(with(""), machine).notes.empty());
  machine.no_gpu = "the driver supports CUDA 12.4";
  EXPECT_EQ(make_plan(with(""), machine).notes.at(0),
            "trials run on the CPU: the driver supports CUDA 12.4");
  machine.device = "cuda";
  EXPECT_EQ(lost_gpu_text(machine),
            "device cuda is not available here: the driver supports CUDA 12.4");
}

TEST(SettleDevice, AScenarioSaysAutoUnlessItSaysMore) {
  EXPECT_EQ(with("").workload.device, "auto");
  EXPECT_EQ(with(", device: cpu").workload.device, "cpu");
  EXPECT_NE(complaints_with("{model: resnet18}", "{model: resnet18, device: gpu}"), "");
}

TEST(SettleDevice, ActivitiesThatNobodyWroteAreThoseOfTheDevice) {
  Scenario scenario = with("");
  settle_device(scenario, "cpu");
  EXPECT_EQ(scenario.workload.device, "cpu");
  EXPECT_TRUE(scenario.profile.cpu);
  EXPECT_FALSE(scenario.profile.cuda);
  settle_device(scenario, "cuda");
  EXPECT_TRUE(scenario.profile.cuda);
}

TEST(SettleDevice, ActivitiesThatAreWrittenStay) {
  Scenario scenario = with("", "profile: {activities: [cpu, cuda]}\n");
  settle_device(scenario, "cpu");
  EXPECT_TRUE(scenario.profile.cuda) << "who asks is told that there is none";
  scenario = with("", "profile: {activities: [cpu]}\n");
  settle_device(scenario, "cuda");
  EXPECT_FALSE(scenario.profile.cuda);
}

}  // namespace

}  // namespace tune::scenario
