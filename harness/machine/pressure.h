#pragma once

#include "machine/text_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tune::machine {

/// Since boot: the time during which at least one task of the machine waited.
struct Pressure {
  std::optional<std::int64_t> cpu_ns;  ///< for a CPU
  std::optional<std::int64_t> io_ns;   ///< for a disk
};

/// Reads <root>/proc/pressure; nothing when the kernel does not count.
class PressureReader {
 public:
  explicit PressureReader(const std::filesystem::path& root = "/");

  Pressure read();

 private:
  KeptFile cpu_, io_;
};

/// Since boot: the time during which at least one task of the machine waited for memory to be
/// freed.
class MemoryPressureReader {
 public:
  explicit MemoryPressureReader(const std::filesystem::path& root = "/")
      : file_(root / "proc/pressure/memory") {}

  std::optional<std::int64_t> read_ns();

 private:
  KeptFile file_;
};

/// The waiting time between two readings.
Pressure difference(const Pressure& before, const Pressure& after);

}  // namespace tune::machine
