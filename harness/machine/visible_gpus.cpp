#include "machine/visible_gpus.h"

#include "machine/text_file.h"

#include <algorithm>
#include <numeric>

namespace tune::machine {

namespace {

std::optional<std::size_t> gpu_named(std::string_view word, const std::vector<std::string>& uuids) {
  if (const auto number = to_number(word)) {
    const auto index = static_cast<std::size_t>(*number);
    return index < uuids.size() ? std::optional(index) : std::nullopt;
  }
  constexpr std::string_view kPrefix = "GPU-";
  const auto begins = [&](const std::string& uuid) { return uuid.starts_with(word); };
  if (!word.starts_with(kPrefix) || std::count_if(uuids.begin(), uuids.end(), begins) != 1) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(std::find_if(uuids.begin(), uuids.end(), begins) - uuids.begin());
}

}  // namespace

std::string gpu_uuid_text(const std::array<std::uint8_t, 16>& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "GPU";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) {
      text += '-';
    }
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::vector<std::size_t> visible_gpus(const std::optional<std::string>& variable,
                                      const std::vector<std::string>& uuids) {
  if (!variable) {
    std::vector<std::size_t> all(uuids.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<std::size_t> seen;
  std::string_view rest = *variable;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto gpu = gpu_named(trimmed(rest.substr(0, comma)), uuids);
    if (!gpu) {
      break;
    }
    if (std::find(seen.begin(), seen.end(), *gpu) != seen.end()) {
      return {};
    }
    seen.push_back(*gpu);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return seen;
}

}  // namespace tune::machine
