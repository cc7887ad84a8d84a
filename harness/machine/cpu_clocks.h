#pragma once

#include "machine/text_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace tune::machine {

/// The clocks of some CPUs: how fast they are, and how often heat has slowed them down. At most
/// eight of the CPUs are looked at, evenly spread, so that a reading costs the same on any machine.
class CpuClockReader {
 public:
  static constexpr std::size_t kMostCpus = 8;

  /// Reads below <root>/sys/devices/system/cpu.
  explicit CpuClockReader(const std::vector<int>& cpus, const std::filesystem::path& root = "/");

  /// Since boot, of the cores and their packages. Nothing where no CPU counts them.
  std::optional<std::int64_t> throttle_events();

  /// Nothing where a CPU does not tell, or tells so slowly (some kernels sleep 10 ms to find out)
  /// that asking would disturb what is measured.
  std::optional<double> mean_mhz();

 private:
  std::int64_t best_time_ns();

  std::vector<KeptFile> throttle_counts_, clocks_khz_;
};

/// The clock that CPU 0 is sold with, without turbo. Nothing where the kernel does not tell; its
/// highest clock would be no substitute.
std::optional<double> base_mhz(const std::filesystem::path& root = "/");

/// How hot the processor is: the hottest of its sensors, at most 16 of them. Looks below
/// <root>/sys/class/hwmon (coretemp, k10temp, ...), else <root>/sys/class/thermal.
class CpuTemperatureReader {
 public:
  explicit CpuTemperatureReader(const std::filesystem::path& root = "/");

  /// Degrees Celsius. Nothing where there is no sensor, as in most virtual machines.
  std::optional<double> read();

 private:
  std::vector<KeptFile> sensors_;
};

}  // namespace tune::machine
