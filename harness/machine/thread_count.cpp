#include "machine/thread_count.h"

#include "machine/text_file.h"

namespace tune::machine {

std::optional<std::int64_t> thread_count(const std::filesystem::path& root) {
  return to_number(value_of(read_text(root / "proc/self/status"), "Threads", ':'));
}

}  // namespace tune::machine
