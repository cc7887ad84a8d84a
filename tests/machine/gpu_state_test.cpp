#include "machine/gpu_state.h"

#include <gtest/gtest.h>

namespace tune::machine {
namespace {

TEST(GpuState, ReadsTheDriver) {
  const Nvml nvml(FAKE_NVML);
  const GpuDriver driver = read_gpu_driver(nvml);
  EXPECT_EQ(driver.version, "580.95.05");
  EXPECT_EQ(driver.cuda_version, 13000);
}

TEST(GpuState, WithoutALibraryTheDriverSaysNothing) {
  const GpuDriver driver = read_gpu_driver(Nvml("libno-such-nvml.so.1"));
  EXPECT_EQ(driver.version, "");
  EXPECT_FALSE(driver.cuda_version.has_value());
}

TEST(GpuState, ReadsHowAGpuIsSetUpAndWhatItDoes) {
  const Nvml nvml(FAKE_NVML);
  const GpuState state = read_gpu_state(nvml, nvml.gpus().at(0));
  EXPECT_EQ(state.name, "Able");
  EXPECT_EQ(state.is_persistent, false);
  EXPECT_EQ(state.is_partitioned, false) << "a pending change is not in effect yet";
  EXPECT_EQ(state.compute_mode, "exclusive-process");
  EXPECT_DOUBLE_EQ(state.power_limit_w.value_or(0), 700);
  EXPECT_DOUBLE_EQ(state.usual_power_limit_w.value_or(0), 750);
  EXPECT_EQ(state.link_width, 8);
  EXPECT_EQ(state.most_link_width, 16);
  EXPECT_EQ(state.uncorrected_errors, 2);
  EXPECT_EQ(state.processes, 3);
  EXPECT_DOUBLE_EQ(state.used_ratio.value_or(-1), 0.87);
  EXPECT_EQ(state.memory_bytes, 1000);
  EXPECT_EQ(state.memory_used_bytes, 250);
  EXPECT_EQ(state.temperature, 71);
  EXPECT_EQ(state.is_power_capped, true);
  EXPECT_EQ(state.is_thermally_slowed, false);
}

TEST(GpuState, WhatAGpuDoesNotTellIsEmpty) {
  const Nvml nvml(FAKE_NVML);
  const GpuState state = read_gpu_state(nvml, nvml.gpus().at(1));
  EXPECT_EQ(state.name, "Plain");
  EXPECT_FALSE(state.is_persistent.has_value());
  EXPECT_FALSE(state.is_partitioned.has_value());
  EXPECT_EQ(state.compute_mode, "");
  EXPECT_FALSE(state.power_limit_w.has_value());
  EXPECT_FALSE(state.link_width.has_value());
  EXPECT_FALSE(state.uncorrected_errors.has_value());
  EXPECT_FALSE(state.processes.has_value());
  EXPECT_FALSE(state.is_power_capped.has_value());
}

}  // namespace
}  // namespace tune::machine
