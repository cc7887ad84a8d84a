#pragma once

#include "machine/kept_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tune::machine {

/// How much of this process is in memory now; <root>/proc/self/statm.
class ResidentMemoryReader {
 public:
  explicit ResidentMemoryReader(const std::filesystem::path& root = "/")
      : file_(root / "proc/self/statm") {}

  std::optional<std::int64_t> read_bytes();

 private:
  KeptFile file_;
};

}  // namespace tune::machine
