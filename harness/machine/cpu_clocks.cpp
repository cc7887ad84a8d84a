#include "machine/cpu_clocks.h"

#include "base/clock.h"
#include "machine/text_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

namespace tune::machine {

namespace {

constexpr std::int64_t kSlowNs = 200'000;  // for all CPUs; 2 us each are usual

std::vector<int> spread(const std::vector<int>& cpus) {
  const std::size_t count = std::min(cpus.size(), CpuClockReader::kMostCpus);
  std::vector<int> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    chosen.push_back(cpus[i * cpus.size() / count]);
  }
  return chosen;
}

std::optional<std::int64_t> bounded(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  const auto number = to_number(text);
  return number && *number <= kMost ? number : std::nullopt;
}

}  // namespace

CpuClockReader::CpuClockReader(const std::vector<int>& cpus, const std::filesystem::path& root) {
  for (const int cpu : spread(cpus)) {
    const auto folder = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
    for (const char* const name : {"core_throttle_count", "package_throttle_count"}) {
      KeptFile count(folder / "thermal_throttle" / name);
      if (bounded(count.read())) {
        throttle_counts_.push_back(std::move(count));
      }
    }
    clocks_khz_.emplace_back(folder / "cpufreq/scaling_cur_freq");
  }
  if (best_time_ns() > kSlowNs) {
    clocks_khz_.clear();
  }
}

// The best of a few tries: a busy machine can delay any single one.
std::int64_t CpuClockReader::best_time_ns() {
  constexpr int kTries = 3;
  std::int64_t best_ns = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < kTries && best_ns > kSlowNs; ++i) {
    const std::int64_t start_ns = monotonic_ns();
    if (mean_mhz()) {
      best_ns = std::min(best_ns, monotonic_ns() - start_ns);
    }
  }
  return best_ns;
}

std::optional<std::int64_t> CpuClockReader::throttle_events() {
  std::optional<std::int64_t> events;
  for (KeptFile& count : throttle_counts_) {
    events = events.value_or(0) + bounded(count.read()).value_or(0);
  }
  return events;
}

std::optional<double> CpuClockReader::mean_mhz() {
  if (clocks_khz_.empty()) {
    return std::nullopt;
  }
  double sum_khz = 0;
  for (KeptFile& clock : clocks_khz_) {
    const auto khz = bounded(clock.read());
    if (!khz) {
      return std::nullopt;
    }
    sum_khz += static_cast<double>(*khz);
  }
  return sum_khz / 1'000 / static_cast<double>(clocks_khz_.size());
}

std::optional<double> base_mhz(const std::filesystem::path& root) {
  const std::string text =
      read_text(root / "sys/devices/system/cpu/cpu0/cpufreq/base_frequency", 64);
  const auto khz = bounded(text);
  return khz && *khz > 0 ? std::optional(static_cast<double>(*khz) / 1'000) : std::nullopt;
}

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

// Thousandths of a degree; a temperature that no processor survives means a broken sensor.
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
