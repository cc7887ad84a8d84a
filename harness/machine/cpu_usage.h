#pragma once

#include "machine/text_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::machine {

/// What one CPU has done since boot. The kernel counts in ticks, mostly of 10 ms; the time of
/// waiting for the disk may even decrease a little (proc(5)).
struct CpuTimes {
  int cpu = -1;
  std::int64_t busy_ns = 0;     ///< user, system, interrupts; by whomever
  std::int64_t system_ns = 0;   ///< part of it in the kernel, interrupts included
  std::int64_t io_wait_ns = 0;  ///< idle while a task that ran here waited for a disk
  std::int64_t steal_ns = 0;    ///< wanted to run, while the hypervisor ran somebody else
};

/// Every CPU of the machine separately; <root>/proc/stat.
class CpuTimesReader {
 public:
  explicit CpuTimesReader(const std::filesystem::path& root = "/") : file_(root / "proc/stat") {}

  /// In the order of the file, until the next call; empty when it cannot be read.
  const std::vector<CpuTimes>& read();
  std::string problem() const { return file_.problem(); }

 private:
  KeptText file_;
  std::vector<CpuTimes> cpus_;
};

/// What some CPUs have done since boot, summed. The kernel counts in ticks, mostly of 10 ms.
struct CpuUsage {
  std::int64_t busy_ns = 0;   ///< user, system, interrupts; by whomever
  std::int64_t steal_ns = 0;  ///< wanted to run, while the hypervisor ran somebody else
  std::int64_t idle_ns = 0;   ///< nothing to run, waiting for the disk included
};

/// Reads <root>/proc/stat repeatedly; the file stays open, because opening costs more than reading.
class CpuUsageReader {
 public:
  explicit CpuUsageReader(std::vector<int> cpus, const std::filesystem::path& root = "/");
  ~CpuUsageReader();
  CpuUsageReader(const CpuUsageReader&) = delete;
  CpuUsageReader& operator=(const CpuUsageReader&) = delete;

  /// Nothing when one of the CPUs is not in the file.
  std::optional<CpuUsage> read();

 private:
  std::vector<int> cpus_;  // sorted
  int file_ = -1;
  std::string text_;
};

/// CPU time that others used on these CPUs between two readings, while we used `own_cpu_ns`. Never
/// below 0: ticks are coarser than our own clock.
std::optional<std::int64_t> other_cpu_ns(const std::optional<CpuUsage>& before,
                                         const std::optional<CpuUsage>& after,
                                         std::int64_t own_cpu_ns);

/// Time between two readings in which these CPUs had nothing to do.
std::optional<std::int64_t> idle_cpu_ns(const std::optional<CpuUsage>& before,
                                        const std::optional<CpuUsage>& after);

/// Stolen time between two readings.
std::optional<std::int64_t> steal_ns(const std::optional<CpuUsage>& before,
                                     const std::optional<CpuUsage>& after);

}  // namespace tune::machine
