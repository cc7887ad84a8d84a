#pragma once

#include "machine/cpu_usage.h"
#include "machine/process_tree.h"
#include "machine/telemetry/series.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace tune::telemetry {

/// How busy some CPUs are, in total and (at most 64 of them, evenly spread) each one.
class CpuSource : public Source {
 public:
  static constexpr std::size_t kMostCpus = 64;

  explicit CpuSource(std::vector<int> cpus, const std::filesystem::path& root = "/");

  void sample(std::int64_t now_ns, std::span<double> values) override;

 private:
  machine::CpuTimesReader reader_;
  std::vector<int> cpus_;    // sorted
  std::vector<int> single_;  // those of them that have their own series
};

/// A worker with all processes that it started, all their threads summed.
class ProcessSource : public Source {
 public:
  explicit ProcessSource(int process, const std::filesystem::path& root = "/");

  void sample(std::int64_t now_ns, std::span<double> values) override;

 private:
  machine::ProcessTreeReader reader_;
};

/// Everything about the machine except its GPUs: CPUs, pressure, memory, disks, network, clocks,
/// heat, the quota. `cpus` are those that workers may run on.
std::vector<std::unique_ptr<Source>> make_host_sources(const std::vector<int>& cpus,
                                                       const std::filesystem::path& root = "/");

}  // namespace tune::telemetry
