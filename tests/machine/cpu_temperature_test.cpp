#include "machine/cpu_temperature.h"

#include "changing_root.h"

namespace tune::machine {
namespace {

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
