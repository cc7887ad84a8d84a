#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace tune::machine {

/// How memory is now; what the kernel does not tell is empty.
struct MemoryState {
  std::optional<std::int64_t> available_bytes;  ///< that a program could still get
  std::optional<std::int64_t> swap_bytes, swap_used_bytes;
  std::string huge_pages;         ///< "madvise": who gets transparent huge pages
  std::string huge_pages_defrag;  ///< "madvise": who waits for memory to be moved for them
};

/// Reads <root>/proc/meminfo and <root>/sys/kernel/mm/transparent_hugepage.
MemoryState read_memory_state(const std::filesystem::path& root = "/");

}  // namespace tune::machine
