#include "machine/memory_state.h"

#include "machine/text_file.h"

#include <algorithm>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> bytes_of(std::string_view text, std::string_view key) {
  constexpr std::int64_t kMostKib = std::int64_t{1} << 50;
  const std::string_view value = value_of(text, key, ':');
  const auto kib = to_number(value.substr(0, value.find(' ')));
  return kib ? std::optional(std::min(*kib, kMostKib) * 1024) : std::nullopt;
}

}  // namespace

MemoryState read_memory_state(const fs::path& root) {
  MemoryState state;
  const std::string text = read_text(root / "proc/meminfo", 1 << 14);
  state.available_bytes = bytes_of(text, "MemAvailable");
  state.swap_bytes = bytes_of(text, "SwapTotal");
  const auto free_swap = bytes_of(text, "SwapFree");
  if (state.swap_bytes && free_swap) {
    state.swap_used_bytes = std::max<std::int64_t>(0, *state.swap_bytes - *free_swap);
  }
  const fs::path huge_pages = root / "sys/kernel/mm/transparent_hugepage";
  state.huge_pages = word_in_brackets(read_text(huge_pages / "enabled", 256));
  state.huge_pages_defrag = word_in_brackets(read_text(huge_pages / "defrag", 256));
  return state;
}

}  // namespace tune::machine
