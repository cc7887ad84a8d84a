#pragma once

#include "machine/kept_text.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::machine {

/// What one CPU did since boot. The kernel counts in ticks, mostly of 10 ms; waiting for the disk
/// may even fall a little (proc(5)).
struct CpuTimes {
  int cpu = -1;
  std::int64_t busy_ns = 0;     ///< user, system, interrupts; by whomever
  std::int64_t system_ns = 0;   ///< of these in the kernel, interrupts included
  std::int64_t io_wait_ns = 0;  ///< idle while a task that ran here waited for a disk
  std::int64_t steal_ns = 0;    ///< wanted to run, while the hypervisor ran somebody else
};

/// Every CPU of the machine on its own; <root>/proc/stat.
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

}  // namespace tune::machine
