#include "machine/cpu_policy.h"

#include "changing_root.h"

namespace tune::machine {
namespace {

class CpuPolicyTest : public ChangingRoot {
 protected:
  void write_cpu(const std::string& path, const std::string& text) const {
    write("sys/devices/system/cpu/" + path, text);
  }
};

TEST_F(CpuPolicyTest, ReadsWhatTheKernelTells) {
  write_cpu("online", "0-2\n");
  write_cpu("cpu0/cpufreq/scaling_governor", "powersave\n");
  write_cpu("cpu1/cpufreq/scaling_governor", "performance\n");
  write_cpu("cpu2/cpufreq/scaling_governor", "powersave\n");
  write_cpu("cpu0/cpufreq/scaling_driver", "intel_pstate\n");
  write_cpu("cpu0/cpufreq/energy_performance_preference", "balance_performance\n");
  write_cpu("intel_pstate/no_turbo", "0\n");
  write_cpu("smt/active", "1\n");
  write("sys/devices/system/node/online", "0-1\n");
  write("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
  write("sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet acpi_pm \n");
  const CpuPolicy policy = read_cpu_policy(root_);
  EXPECT_EQ(policy.governors, (std::vector<std::string>{"performance", "powersave"}));
  EXPECT_EQ(policy.driver, "intel_pstate");
  EXPECT_EQ(policy.energy_preference, "balance_performance");
  EXPECT_EQ(policy.turbo, true);
  EXPECT_EQ(policy.turbo_file, "/sys/devices/system/cpu/intel_pstate/no_turbo");
  EXPECT_EQ(policy.shares_cores, true);
  EXPECT_EQ(policy.numa_nodes, 2);
  EXPECT_EQ(policy.clock_source, "hpet");
  EXPECT_EQ(policy.all_clocks, (std::vector<std::string>{"hpet", "acpi_pm"}));
  EXPECT_FALSE(policy.on_battery.has_value());
}

TEST_F(CpuPolicyTest, KnowsTheOtherSwitchOfTurbo) {
  write_cpu("cpufreq/boost", "0\n");
  const CpuPolicy policy = read_cpu_policy(root_);
  EXPECT_EQ(policy.turbo, false);
  EXPECT_EQ(policy.turbo_file, "/sys/devices/system/cpu/cpufreq/boost");
}

TEST_F(CpuPolicyTest, RunsOnBatteryWhenNoMainsSupplyIsConnected) {
  write("sys/class/power_supply/BAT0/type", "Battery\n");
  write("sys/class/power_supply/AC/type", "Mains\n");
  write("sys/class/power_supply/AC/online", "0\n");
  EXPECT_EQ(read_cpu_policy(root_).on_battery, true);
  write("sys/class/power_supply/DOCK/type", "Mains\n");
  write("sys/class/power_supply/DOCK/online", "1\n");
  EXPECT_EQ(read_cpu_policy(root_).on_battery, false);
}

TEST_F(CpuPolicyTest, WhatIsNotThereOrNoAnswerStaysEmpty) {
  write_cpu("online", "who knows\n");
  write_cpu("smt/active", "perhaps\n");
  const CpuPolicy policy = read_cpu_policy(root_);
  EXPECT_TRUE(policy.governors.empty());
  EXPECT_FALSE(policy.turbo.has_value());
  EXPECT_FALSE(policy.shares_cores.has_value());
  EXPECT_FALSE(policy.numa_nodes.has_value());
  EXPECT_EQ(policy.clock_source, "");
}

}  // namespace
}  // namespace tune::machine
