#include "machine/cpu_temperature.h"

#include "machine/text_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <system_error>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSensors = 16;
constexpr std::size_t kMostEntries = 1024;

template <std::size_t count>
bool is_one_of(std::string_view name, const std::array<std::string_view, count>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end;
       !problem && at != end && entries.size() < kMostEntries;
       at.increment(problem)) {
    entries.push_back(at->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<fs::path> hwmon_files(const fs::path& root) {
  static constexpr std::array<std::string_view, 4> kChips = {
      "coretemp", "k10temp", "zenpower", "cpu_thermal"};
  std::vector<fs::path> files;
  for (const fs::path& chip : entries_of(root / "sys/class/hwmon")) {
    const std::string name = read_text(chip / "name", 64);
    if (!is_one_of(trimmed(name), kChips)) {
      continue;
    }
    for (const fs::path& file : entries_of(chip)) {
      const std::string leaf = file.filename().string();
      if (leaf.starts_with("temp") && leaf.ends_with("_input")) {
        files.push_back(file);
      }
    }
  }
  return files;
}

std::vector<fs::path> zone_files(const fs::path& root) {
  static constexpr std::array<std::string_view, 4> kZones = {
      "x86_pkg_temp", "cpu-thermal", "cpu_thermal", "TCPU"};
  std::vector<fs::path> files;
  for (const fs::path& zone : entries_of(root / "sys/class/thermal")) {
    const std::string type = read_text(zone / "type", 64);
    if (is_one_of(trimmed(type), kZones)) {
      files.push_back(zone / "temp");
    }
  }
  return files;
}

// Thousandths of a degree; what no processor survives is a broken sensor.
std::optional<double> degrees(std::string_view text) {
  constexpr std::int64_t kMost = 150'000;
  const auto thousandths = to_number(text);
  if (!thousandths || *thousandths == 0 || *thousandths > kMost) {
    return std::nullopt;
  }
  return static_cast<double>(*thousandths) / 1'000;
}

}  // namespace

CpuTemperatureReader::CpuTemperatureReader(const fs::path& root) {
  std::vector<fs::path> files = hwmon_files(root);
  if (files.empty()) {
    files = zone_files(root);
  }
  for (const fs::path& file : files) {
    KeptFile sensor(file);
    if (sensors_.size() < kMostSensors && degrees(sensor.read())) {
      sensors_.push_back(std::move(sensor));
    }
  }
}

std::optional<double> CpuTemperatureReader::read() {
  std::optional<double> hottest;
  for (KeptFile& sensor : sensors_) {
    if (const auto now = degrees(sensor.read())) {
      hottest = std::max(hottest.value_or(*now), *now);
    }
  }
  return hottest;
}

}  // namespace tune::machine
