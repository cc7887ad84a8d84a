#include "machine/peak_memory.h"

#include "machine/text_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tune::machine {

bool restart_peak_memory(const std::filesystem::path& root) {
  const int file = open((root / "proc/self/clear_refs").c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  const bool done = write(file, "5", 1) == 1;  // 5: the peak only, no page is touched
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
