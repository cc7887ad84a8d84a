#include "history/entry.h"

#include "base/sha256.h"

#include <algorithm>

namespace tune::history {

namespace {

constexpr std::size_t kKeyDigits = 16;

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

const Measure* Entry::find(std::string_view name) const {
  const auto found = std::find_if(
      measures.begin(), measures.end(), [&](const Measure& each) { return each.name == name; });
  return found == measures.end() ? nullptr : &*found;
}

std::string entry_key(const Entry& entry) {
  std::string text = entry.kind;
  for (const std::string* part : {&entry.machine, &entry.directory, &entry.started_utc}) {
    text += "\n" + *part;
  }
  return sha256_hex(text).substr(0, kKeyDigits);
}

std::string bounded_text(std::string_view text) {
  std::size_t length = std::min(text.size(), kLongestText);
  while (length > 0 && length < text.size() && continues_character(text[length])) {
    --length;
  }
  std::string kept(text.substr(0, length));
  std::replace(kept.begin(), kept.end(), '\0', ' ');
  return kept;
}

}  // namespace tune::history
