#pragma once

#include "machine/kept_text.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::machine {

/// Memory of the whole machine that a program could still get; <root>/proc/meminfo.
class AvailableMemoryReader {
 public:
  explicit AvailableMemoryReader(const std::filesystem::path& root = "/")
      : file_(root / "proc/meminfo", 1 << 14) {}

  std::optional<std::int64_t> read_bytes();
  std::string problem() const { return file_.problem(); }

 private:
  KeptText file_;
};

/// What was moved between memory and swap since boot.
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

}  // namespace tune::machine
