#include "machine/memory.h"

#include "machine/text_file.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

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

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 46;  // pages or KiB: no product overflows

// The number after "<key> " at the start of a line. Searches the text, because the file is read
// many times a second.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view key) {
  std::size_t at = 0;
  while ((at = text.find(key, at)) != std::string_view::npos) {
    if (at == 0 || text[at - 1] == '\n') {
      std::string_view rest = text.substr(at + key.size());
      rest = trimmed(rest.substr(0, rest.find('\n')));
      const auto number = to_number(rest.substr(0, rest.find(' ')));
      return number && *number <= kMost ? number : std::nullopt;
    }
    at += key.size();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> AvailableMemoryReader::read_bytes() {
  const auto kib = number_after(file_.read(), "MemAvailable:");
  return kib ? std::optional(*kib * 1024) : std::nullopt;
}

std::optional<SwapTraffic> SwapTrafficReader::read() {
  const std::string_view text = file_.read();
  const auto in = number_after(text, "pswpin ");
  const auto out = number_after(text, "pswpout ");
  if (!in || !out) {
    return std::nullopt;
  }
  const std::int64_t page = sysconf(_SC_PAGESIZE);
  return SwapTraffic{*in * page, *out * page};
}

// "<pages of the address space> <resident pages> ..."
std::optional<std::int64_t> ResidentMemoryReader::read_bytes() {
  constexpr std::int64_t kMostPages = 1'000'000'000'000;
  std::string_view text = file_.read();
  text.remove_prefix(std::min(text.find(' '), text.size()));
  text = trimmed(text);
  const auto pages = to_number(text.substr(0, text.find(' ')));
  if (!pages || *pages > kMostPages) {
    return std::nullopt;
  }
  return *pages * sysconf(_SC_PAGESIZE);
}

bool restart_peak_memory(const std::filesystem::path& root) {
  const int file = open((root / "proc/self/clear_refs").c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  const bool done = write(file, "5", 1) == 1;  // 5: resets only the peak, touches no page
  close(file);
  return done;
}

std::int64_t peak_memory_bytes(const std::filesystem::path& root) {
  const std::string status = read_text(root / "proc/self/status");
  std::string_view peak = value_of(status, "VmHWM", ':');
  peak = trimmed(peak.substr(0, peak.find("kB")));
  if (const auto kib = to_number(peak)) {
    return *kib * 1024;
  }
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  return static_cast<std::int64_t>(own.ru_maxrss) * 1024;
}

}  // namespace tune::machine
