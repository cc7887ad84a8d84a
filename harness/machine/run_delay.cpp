#include "machine/run_delay.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace tune::machine {

namespace {

constexpr std::size_t kMostThreads = 512;  // descriptors are scarce; the rest is left out

// "<time on CPU> <time waiting for one> <number of turns>", ns. Nothing when the thread has ended.
std::optional<RunDelay> read_thread(int file) {
  std::array<char, 96> text{};
  ssize_t got = -1;
  do {
    got = pread(file, text.data(), text.size(), 0);
  } while (got < 0 && errno == EINTR);
  const std::string_view line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const char* const end = line.data() + line.size();
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', first == std::string_view::npos ? first : first + 1);
  RunDelay delay;
  if (second == std::string_view::npos ||
      std::from_chars(line.data() + first + 1, end, delay.delay_ns).ec != std::errc() ||
      std::from_chars(line.data() + second + 1, end, delay.turns).ec != std::errc()) {
    return std::nullopt;
  }
  return delay;
}

// What the system call writes; libc's readdir would allocate and take a lock.
struct KernelEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t size;
  std::uint8_t type;
  char name[1];
};

}  // namespace

RunDelayReader::RunDelayReader(const std::string& process, const std::filesystem::path& root)
    : folder_(open((root / "proc" / process / "task").c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY)),
      main_(getpid()) {
  (void)std::from_chars(process.data(), process.data() + process.size(), main_);  // "self" is none
}

RunDelayReader::~RunDelayReader() {
  for (const auto& [id, thread] : threads_) {
    close(thread.file);
  }
  if (folder_ >= 0) {
    close(folder_);
  }
}

void RunDelayReader::list_threads() {
  for (auto& [id, thread] : threads_) {
    thread.listed = false;
  }
  alignas(KernelEntry) std::array<char, 8192> block{};
  lseek(folder_, 0, SEEK_SET);
  for (;;) {
    const auto got = syscall(SYS_getdents64, folder_, block.data(), block.size());
    if (got <= 0) {
      return;
    }
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      const auto* const entry = reinterpret_cast<const KernelEntry*>(block.data() + at);
      at += entry->size;
      const std::string_view name(static_cast<const char*>(entry->name));
      int id = 0;
      if (std::from_chars(name.data(), name.data() + name.size(), id).ec != std::errc()) {
        continue;  // . and ..
      }
      const auto known = threads_.find(id);
      if (known != threads_.end()) {
        known->second.listed = true;
      } else if (threads_.size() < kMostThreads) {
        const std::string path = std::string(name) + "/schedstat";
        const int file = openat(folder_, path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
          threads_[id] = {file, {}, true};
        }
      }
    }
  }
}

std::optional<RunDelay> RunDelayReader::read() {
  if (folder_ < 0) {
    return std::nullopt;
  }
  list_threads();
  RunDelay total;
  for (auto at = threads_.begin(); at != threads_.end();) {
    Thread& thread = at->second;
    const auto now = read_thread(thread.file);
    if (now && thread.listed) {
      thread.seen.delay_ns = std::max(thread.seen.delay_ns, now->delay_ns);
      thread.seen.turns = std::max(thread.seen.turns, now->turns);
      total.delay_ns += thread.seen.delay_ns;
      total.turns += thread.seen.turns;
      total.main_delay_ns += at->first == main_ ? thread.seen.delay_ns : 0;
      ++at;
    } else {
      ended_.delay_ns += thread.seen.delay_ns;  // kept, so that the sum never falls
      ended_.turns += thread.seen.turns;
      close(thread.file);
      at = threads_.erase(at);
    }
  }
  if (threads_.empty()) {
    return std::nullopt;
  }
  total.delay_ns += ended_.delay_ns;
  total.turns += ended_.turns;
  return total;
}

}  // namespace tune::machine
