#include "machine/device_peaks.h"

#include <gtest/gtest.h>

namespace tune::machine {
namespace {

TEST(DevicePeaks, AreOfThisVeryDevice) {
  EXPECT_DOUBLE_EQ(device_peaks("NVIDIA H200")->memory_rate, 4.8e12);
  EXPECT_DOUBLE_EQ(device_peaks("Tesla V100-SXM2-16GB")->half_flop_rate, 125e12);
  EXPECT_EQ(device_peaks("Tesla T4")->tf32_flop_rate, 0);
  EXPECT_FALSE(device_peaks("NVIDIA A2").has_value());
  EXPECT_LT(device_peaks("NVIDIA A10G")->half_flop_rate, device_peaks("NVIDIA A10")->half_flop_rate)
      << "not the same chip";
  EXPECT_FALSE(device_peaks("").has_value());
}

}  // namespace
}  // namespace tune::machine
