#pragma once

#include "machine/text_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::machine {

/// The current state of memory; what the kernel does not report is empty.
struct MemoryState {
  std::optional<std::int64_t> available_bytes;  ///< that a program could still allocate
  std::optional<std::int64_t> swap_bytes, swap_used_bytes;
  std::string huge_pages;         ///< "madvise": who gets transparent huge pages
  std::string huge_pages_defrag;  ///< "madvise": who waits for memory to be moved for them
};

/// Reads <root>/proc/meminfo and <root>/sys/kernel/mm/transparent_hugepage.
MemoryState read_memory_state(const std::filesystem::path& root = "/");

/// Memory of the whole machine that a program could still allocate; <root>/proc/meminfo.
class AvailableMemoryReader {
 public:
  explicit AvailableMemoryReader(const std::filesystem::path& root = "/")
      : file_(root / "proc/meminfo", 1 << 14) {}

  std::optional<std::int64_t> read_bytes();
  std::string problem() const { return file_.problem(); }

 private:
  KeptText file_;
};

/// Traffic between memory and swap since boot.
struct SwapTraffic {
  std::int64_t in_bytes = 0, out_bytes = 0;
};

/// <root>/proc/vmstat.
class SwapTrafficReader {
 public:
  explicit SwapTrafficReader(const std::filesystem::path& root = "/")
      : file_(root / "proc/vmstat", 1 << 16) {}

  std::optional<SwapTraffic> read();
  std::string problem() const { return file_.problem(); }

 private:
  KeptText file_;
};

/// The resident size of this process now; <root>/proc/self/statm.
class ResidentMemoryReader {
 public:
  explicit ResidentMemoryReader(const std::filesystem::path& root = "/")
      : file_(root / "proc/self/statm") {}

  std::optional<std::int64_t> read_bytes();

 private:
  KeptFile file_;
};

/// Resets the kernel's record of the largest resident size of this process. False when it cannot;
/// then the peak counts from the start of the process.
bool restart_peak_memory(const std::filesystem::path& root = "/");

/// The largest resident size of this process since the reset, or since it started.
std::int64_t peak_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace tune::machine
