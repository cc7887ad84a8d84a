#include "machine/cpu_clocks.h"

#include "base/monotonic_clock.h"
#include "machine/text_file.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace tune::machine {

namespace {

constexpr std::int64_t kSlowNs = 200'000;  // for all CPUs; usual are 2 us each

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

// Of a few tries: a busy machine can make any single one late.
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

}  // namespace tune::machine
