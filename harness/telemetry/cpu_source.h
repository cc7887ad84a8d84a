#pragma once

#include "machine/cpu_times.h"
#include "telemetry/series.h"

#include <filesystem>
#include <vector>

namespace tune::telemetry {

/// How busy some CPUs are, all together and (at most 64 of them, evenly spread) each on its own.
class CpuSource : public Source {
 public:
  static constexpr std::size_t kMostCpus = 64;

  explicit CpuSource(std::vector<int> cpus, const std::filesystem::path& root = "/");

  void sample(std::int64_t now_ns, std::span<double> values) override;

 private:
  machine::CpuTimesReader reader_;
  std::vector<int> cpus_;    // sorted
  std::vector<int> single_;  // of these, those with a series of their own
};

}  // namespace tune::telemetry
