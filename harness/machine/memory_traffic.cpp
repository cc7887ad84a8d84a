#include "machine/memory_traffic.h"

#include "machine/text_file.h"

#include <unistd.h>

namespace tune::machine {

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 46;  // pages or KiB: no product overflows

// The number behind "<key> " at the begin of a line. A search through the text, because the file is
// read many times a second.
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

}  // namespace tune::machine
