#include "telemetry/cpu_source.h"

#include <algorithm>

namespace tune::telemetry {

namespace {

constexpr std::size_t kSums = 4;  // busy, system, waiting for a disk, stolen
constexpr double kNano = 1e-9;

std::vector<int> spread(const std::vector<int>& cpus) {
  const std::size_t count = std::min(cpus.size(), CpuSource::kMostCpus);
  std::vector<int> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    chosen.push_back(cpus[i * cpus.size() / count]);
  }
  return chosen;
}

}  // namespace

CpuSource::CpuSource(std::vector<int> cpus, const std::filesystem::path& root)
    : reader_(root), cpus_(std::move(cpus)) {
  std::sort(cpus_.begin(), cpus_.end());
  single_ = spread(cpus_);
  const std::string reason = reader_.read().empty() ? reader_.problem() : "";
  const double each = kNano / static_cast<double>(std::max<std::size_t>(cpus_.size(), 1));
  for (const char* const id :
       {"cpu_busy_ratio", "cpu_system_ratio", "io_wait_ratio", "steal_ratio"}) {
    series_.push_back({id, "", "ratio", Kind::count, each, reason});
  }
  for (const int cpu : single_) {
    series_.push_back(
        {"cpu_busy_ratio", "cpu" + std::to_string(cpu), "ratio", Kind::count, kNano, reason});
  }
}

void CpuSource::sample(std::int64_t /*now_ns*/, std::span<double> values) {
  machine::CpuTimes sum;
  std::size_t found = 0;
  for (const machine::CpuTimes& cpu : reader_.read()) {
    if (!std::binary_search(cpus_.begin(), cpus_.end(), cpu.cpu)) {
      continue;
    }
    ++found;
    sum.busy_ns += cpu.busy_ns;
    sum.system_ns += cpu.system_ns;
    sum.io_wait_ns += cpu.io_wait_ns;
    sum.steal_ns += cpu.steal_ns;
    const auto own = std::find(single_.begin(), single_.end(), cpu.cpu);
    if (own != single_.end()) {
      values[kSums + static_cast<std::size_t>(own - single_.begin())] =
          static_cast<double>(cpu.busy_ns);
    }
  }
  if (found == cpus_.size() && found > 0) {  // a CPU that went offline would make the sum fall
    values[0] = static_cast<double>(sum.busy_ns);
    values[1] = static_cast<double>(sum.system_ns);
    values[2] = static_cast<double>(sum.io_wait_ns);
    values[3] = static_cast<double>(sum.steal_ns);
  }
}

}  // namespace tune::telemetry
