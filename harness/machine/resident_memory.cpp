#include "machine/resident_memory.h"

#include "machine/text_file.h"

#include <algorithm>
#include <unistd.h>

namespace tune::machine {

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

}  // namespace tune::machine
