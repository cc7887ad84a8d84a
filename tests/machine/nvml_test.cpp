#include "machine/nvml.h"

#include "machine/nvml_device.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace tune::machine {
namespace {

class NvmlTest : public testing::Test {
 protected:
  void TearDown() override { unsetenv("TUNE_FAKE_NVML"); }
};

const GpuValue& at(const GpuValues& values, GpuQuantity quantity) {
  return values[static_cast<std::size_t>(quantity)];
}

TEST_F(NvmlTest, WithoutADriverSaysWhatIsMissing) {
  const Nvml nvml("libno-such-nvml.so.1");
  EXPECT_TRUE(nvml.gpus().empty());
  EXPECT_NE(nvml.problem().find("libno-such-nvml.so.1"), std::string::npos);
  EXPECT_EQ(nvml.call("nvmlInit_v2"), -1);
}

TEST_F(NvmlTest, NamesTheCodeOfAStartThatFails) {
  setenv("TUNE_FAKE_NVML", "down", 1);
  EXPECT_EQ(Nvml(FAKE_NVML).problem(), "nvmlInit_v2: NVML code 9 (driver not loaded)");
  setenv("TUNE_FAKE_NVML", "empty", 1);
  EXPECT_EQ(Nvml(FAKE_NVML).problem(), "the driver shows no GPU");
}

TEST_F(NvmlTest, ListsTheGpusWithTheirUuids) {
  const Nvml nvml(FAKE_NVML);
  EXPECT_EQ(nvml.problem(), "");
  ASSERT_EQ(nvml.gpus().size(), 2U);
  EXPECT_EQ(nvml.gpus()[0].uuid, "GPU-11111111-0000-0000-0000-000000000000");
  EXPECT_EQ(nvml.gpus()[1].name, "Plain");
}

TEST_F(NvmlTest, ReadsEveryQuantityInItsUnit) {
  const Nvml nvml(FAKE_NVML);
  NvmlDevice device(nvml, nvml.gpus().at(0));
  const GpuValues values = device.read(1'000'000'000);
  const auto value = [&](GpuQuantity quantity) {
    EXPECT_EQ(at(values, quantity).code, 0) << static_cast<int>(quantity);
    return at(values, quantity).value;
  };
  EXPECT_DOUBLE_EQ(value(GpuQuantity::util), 0.87);
  EXPECT_DOUBLE_EQ(value(GpuQuantity::memory_util), 0.40);
  EXPECT_EQ(value(GpuQuantity::memory_used), 250);
  EXPECT_GE(value(GpuQuantity::energy), 500);
  EXPECT_EQ(value(GpuQuantity::temperature), 71) << "by the older call";
  EXPECT_EQ(value(GpuQuantity::memory_temperature), 90);
  EXPECT_EQ(value(GpuQuantity::sm_clock), 1.5e9);
  EXPECT_EQ(value(GpuQuantity::memory_clock), 2.6e9);
  EXPECT_EQ(value(GpuQuantity::power_capped), 1) << "by the older name";
  EXPECT_EQ(value(GpuQuantity::thermally_slowed), 0);
  EXPECT_DOUBLE_EQ(value(GpuQuantity::power_cap_time), 0.074);
  EXPECT_DOUBLE_EQ(value(GpuQuantity::hardware_thermal_time), 0.270);
  EXPECT_DOUBLE_EQ(value(GpuQuantity::pcie_sent), 197e6);
  EXPECT_DOUBLE_EQ(value(GpuQuantity::nvlink_received), 139e6 * 1024);
  EXPECT_EQ(at(values, GpuQuantity::nvlink_sent).code, 3) << "each field has its own code";
  EXPECT_EQ(device.max_sm_clock().value, 2e9);
  EXPECT_EQ(device.power_limit().value, 700);
  EXPECT_EQ(device.memory_total().value, 1000);
  EXPECT_EQ(device.process_count().value, 3);
}

TEST_F(NvmlTest, ComparesGpmSamplesThatAreFarEnoughApart) {
  const Nvml nvml(FAKE_NVML);
  NvmlDevice device(nvml, nvml.gpus().at(0));
  EXPECT_EQ(at(device.read(1'000'000'000), GpuQuantity::sm_util).code, 21) << "one sample only";
  EXPECT_EQ(at(device.read(1'050'000'000), GpuQuantity::sm_util).code, 21) << "too close";
  const GpuValues values = device.read(1'100'000'000);
  EXPECT_DOUBLE_EQ(at(values, GpuQuantity::sm_util).value, 0.2);
  EXPECT_DOUBLE_EQ(at(values, GpuQuantity::sm_occupancy).value, 0.3);
  EXPECT_DOUBLE_EQ(at(values, GpuQuantity::dram_util).value, 1.0);
  EXPECT_EQ(at(values, GpuQuantity::tensor_util).code, 3);
  EXPECT_DOUBLE_EQ(at(device.read(1'150'000'000), GpuQuantity::sm_util).value, 0.2)
      << "the last value remains";
}

TEST_F(NvmlTest, WhatAGpuDoesNotSupportIsNeverZero) {
  const Nvml nvml(FAKE_NVML);
  NvmlDevice device(nvml, nvml.gpus().at(1));
  (void)device.read(1'000'000'000);
  for (const GpuValue& value : device.read(2'000'000'000)) {
    EXPECT_EQ(value.code, nvml::kNotSupported);
  }
  EXPECT_EQ(device.max_sm_clock().code, nvml::kNotSupported);
  EXPECT_EQ(device.process_count().code, nvml::kNotSupported);
}

TEST_F(NvmlTest, ReasonsAreNamed) {
  EXPECT_EQ(nvml_reason(3), "NVML code 3 (not supported)");
  EXPECT_EQ(nvml_reason(4), "NVML code 4 (no permission)");
  EXPECT_EQ(nvml_reason(12345), "NVML code 12345");
  EXPECT_EQ(nvml_reason(-1), "the driver has no such function");
}

}  // namespace
}  // namespace tune::machine
