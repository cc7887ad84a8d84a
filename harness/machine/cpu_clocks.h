#pragma once

#include "machine/text_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace tune::machine {

/// The clocks of some CPUs: their frequencies, and how often heat has slowed them down. Reads at
/// most eight of the CPUs, evenly spread, so that a reading costs the same on any machine.
class CpuClockReader {
 public:
  static constexpr std::size_t kMostCpus = 8;

  /// Reads below <root>/sys/devices/system/cpu.
  explicit CpuClockReader(const std::vector<int>& cpus, const std::filesystem::path& root = "/");

  /// Since boot, for the cores and their packages. Nothing when no CPU counts them.
  std::optional<std::int64_t> throttle_events();

  /// Nothing when a CPU does not report it, or so slowly (some kernels sleep 10 ms to find out)
  /// that reading it would disturb the measurement.
  std::optional<double> mean_mhz();

 private:
  std::int64_t best_time_ns();

  std::vector<KeptFile> throttle_counts_, clocks_khz_;
};

/// The nominal clock of CPU 0, without turbo. Nothing when the kernel does not report it; the
/// highest clock would not be a substitute.
std::optional<double> base_mhz(const std::filesystem::path& root = "/");

/// The temperature of the processor: the hottest of its sensors, at most 16 of them. Looks below
/// <root>/sys/class/hwmon (coretemp, k10temp, ...), else <root>/sys/class/thermal.
class CpuTemperatureReader {
 public:
  explicit CpuTemperatureReader(const std::filesystem::path& root = "/");

  /// Degrees Celsius. Nothing without a sensor, as in most virtual machines.
  std::optional<double> read();

 private:
  std::vector<KeptFile> sensors_;
};

}  // namespace tune::machine
