#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::machine {

/// How the kernel runs the CPUs: what sets their frequencies, whether they share cores, and which
/// clock programs read. What it does not report, as inside most virtual machines, is empty.
struct CpuPolicy {
  std::vector<std::string> governors;  ///< of all CPUs that are online, each once, sorted
  std::string driver;                  ///< "intel_pstate", "acpi-cpufreq"
  std::string energy_preference;       ///< "balance_performance"; for drivers that use it
  std::optional<bool> turbo;           ///< CPUs may run above their nominal clock
  std::string turbo_file;              ///< its source; writing 1 or 0 would change it
  std::optional<bool> shares_cores;    ///< two CPUs to a core (SMT, hyper-threading)
  std::optional<int> numa_nodes;
  std::string clock_source;             ///< "tsc": what each clock_gettime() reads
  std::vector<std::string> all_clocks;  ///< alternatives to it
  std::optional<bool> on_battery;       ///< on machines that have a mains supply
};

/// Reads <root>/sys/devices/system/{cpu,node,clocksource} and <root>/sys/class/power_supply.
CpuPolicy read_cpu_policy(const std::filesystem::path& root = "/");

}  // namespace tune::machine
