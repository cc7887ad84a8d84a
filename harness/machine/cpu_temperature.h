#pragma once

#include "machine/kept_file.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace tune::machine {

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
