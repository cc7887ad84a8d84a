#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::machine {

/// How the kernel runs the CPUs: what decides their clocks, who shares a core, and which clock
/// programs read. What it does not tell, as inside most virtual machines, is empty.
struct CpuPolicy {
  std::vector<std::string> governors;  ///< of all CPUs that are online, each once, sorted
  std::string driver;                  ///< "intel_pstate", "acpi-cpufreq"
  std::string energy_preference;       ///< "balance_performance"; of drivers that choose by it
  std::optional<bool> turbo;           ///< CPUs may run above the clock that they are sold with
  std::string turbo_file;              ///< that says so, and where 1 or 0 would change it
  std::optional<bool> shares_cores;    ///< two CPUs to a core (SMT, hyper-threading)
  std::optional<int> numa_nodes;
  std::string clock_source;             ///< "tsc": what each clock_gettime() reads
  std::vector<std::string> all_clocks;  ///< that could be chosen instead
  std::optional<bool> on_battery;       ///< of machines that have a mains supply to lose
};

/// Reads <root>/sys/devices/system/{cpu,node,clocksource} and <root>/sys/class/power_supply.
CpuPolicy read_cpu_policy(const std::filesystem::path& root = "/");

}  // namespace tune::machine
