#include "machine/cpu_clocks.h"

#include "changing_root.h"

#include <numeric>

namespace tune::machine {

namespace {

class CpuClocksTest : public ChangingRoot {
 protected:
  void add_cpu(int cpu, int khz, int core_events, int package_events) const {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/";
    write(folder + "cpufreq/scaling_cur_freq", std::to_string(khz) + "\n");
    write(folder + "thermal_throttle/core_throttle_count", std::to_string(core_events) + "\n");
    write(folder + "thermal_throttle/package_throttle_count",
          std::to_string(package_events) + "\n");
  }
};

TEST_F(CpuClocksTest, CountsThrottlingAndTheMeanClockOfTheAskedCpus) {
  add_cpu(0, 3'000'000, 100, 1'000);
  add_cpu(1, 2'000'000, 2, 7);
  add_cpu(2, 3'000'000, 3, 7);
  CpuClockReader reader({1, 2}, root_);
  EXPECT_EQ(reader.throttle_events(), 19);
  EXPECT_DOUBLE_EQ(reader.mean_mhz().value_or(0), 2'500);
  add_cpu(2, 1'000'000, 5, 8);
  EXPECT_EQ(reader.throttle_events(), 22);
  EXPECT_DOUBLE_EQ(reader.mean_mhz().value_or(0), 1'500);
}

TEST_F(CpuClocksTest, OfManyCpusLooksAtAFewThatAreSpreadEvenly) {
  std::vector<int> cpus(64);
  std::iota(cpus.begin(), cpus.end(), 0);
  for (const int cpu : cpus) {
    add_cpu(cpu, 1'000'000 * (1 + cpu), 1, 0);
  }
  CpuClockReader reader(cpus, root_);
  EXPECT_EQ(reader.throttle_events(), 8);
  EXPECT_DOUBLE_EQ(reader.mean_mhz().value_or(0), 1'000 * (1 + 28));  // 0, 8, ..., 56
}

TEST_F(CpuClocksTest, SaysNothingWhereTheKernelDoesNot) {
  CpuClockReader nowhere({0, 1}, "/no/such/root");
  EXPECT_FALSE(nowhere.throttle_events().has_value());
  EXPECT_FALSE(nowhere.mean_mhz().has_value());
  CpuClockReader nobody({}, root_);
  EXPECT_FALSE(nobody.throttle_events().has_value());
  EXPECT_FALSE(nobody.mean_mhz().has_value());
  add_cpu(0, 2'000'000, 1, 1);
  write("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "<unknown>\n");
  write("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "-3\n");
  CpuClockReader half({0, 1}, root_);
  EXPECT_EQ(half.throttle_events(), 2) << "one CPU that counts is enough to see throttling";
  EXPECT_FALSE(half.mean_mhz().has_value()) << "the mean of some CPUs is not the mean of all";
}

TEST_F(CpuClocksTest, KnowsTheBaseClockWhereTheKernelTells) {
  EXPECT_FALSE(base_mhz(root_).has_value());
  write("sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "2500000\n");
  EXPECT_EQ(base_mhz(root_), 2'500);
  write("sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "0\n");
  EXPECT_FALSE(base_mhz(root_).has_value());
}

using CpuTemperatureTest = ChangingRoot;

TEST_F(CpuTemperatureTest, IsThatOfTheHottestSensorOfTheProcessor) {
  write("sys/class/hwmon/hwmon0/name", "nvme\n");
  write("sys/class/hwmon/hwmon0/temp1_input", "99000\n");
  write("sys/class/hwmon/hwmon1/name", "coretemp\n");
  write("sys/class/hwmon/hwmon1/temp1_input", "51000\n");
  write("sys/class/hwmon/hwmon1/temp2_input", "63500\n");
  write("sys/class/hwmon/hwmon1/temp2_max", "100000\n");
  write("sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
  write("sys/class/thermal/thermal_zone0/temp", "70000\n");
  CpuTemperatureReader reader(root_);
  EXPECT_EQ(reader.read(), 63.5);
  write("sys/class/hwmon/hwmon1/temp1_input", "80000\n");
  EXPECT_EQ(reader.read(), 80.0);
}

TEST_F(CpuTemperatureTest, ComesFromTheThermalZonesWhereThereIsNoChip) {
  write("sys/class/thermal/thermal_zone0/type", "acpitz\n");
  write("sys/class/thermal/thermal_zone0/temp", "20000\n");
  write("sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
  write("sys/class/thermal/thermal_zone1/temp", "70000\n");
  EXPECT_EQ(CpuTemperatureReader(root_).read(), 70.0);
}

TEST_F(CpuTemperatureTest, IsUnknownWithoutASensorOrWithABrokenOne) {
  EXPECT_FALSE(CpuTemperatureReader(root_).read().has_value());
  write("sys/class/hwmon/hwmon1/name", "k10temp\n");
  for (const char* const text : {"", "hot", "-5000", "0", "250000"}) {
    write("sys/class/hwmon/hwmon1/temp1_input", text);
    EXPECT_FALSE(CpuTemperatureReader(root_).read().has_value()) << text;
  }
}

}  // namespace

}  // namespace tune::machine
