#include "machine/process_usage.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tune::machine {

namespace {

constexpr std::size_t kMostThreads = 512;  // descriptors are scarce; the rest is left out

// "<time on CPU> <time waiting for one> <number of turns>", ns. Nothing when the thread has ended.
std::optional<std::int64_t> read_delay(int file) {
  std::array<char, 96> text{};
  ssize_t got = -1;
  do {
    got = pread(file, text.data(), text.size(), 0);
  } while (got < 0 && errno == EINTR);
  const std::string_view line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const std::size_t space = line.find(' ');
  std::int64_t delay_ns = 0;
  if (space == std::string_view::npos ||
      std::from_chars(line.data() + space + 1, line.data() + line.size(), delay_ns).ec !=
          std::errc()) {
    return std::nullopt;
  }
  return delay_ns;
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

ProcessUsageReader::ProcessUsageReader(const std::filesystem::path& root)
    : folder_(open((root / "proc/self/task").c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY)) {}

ProcessUsageReader::~ProcessUsageReader() {
  for (const auto& [id, thread] : threads_) {
    close(thread.file);
  }
  if (folder_ >= 0) {
    close(folder_);
  }
}

void ProcessUsageReader::list_threads() {
  for (auto& [id, thread] : threads_) {
    thread.seen = false;
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
        known->second.seen = true;
      } else if (threads_.size() < kMostThreads) {
        const std::string path = std::string(name) + "/schedstat";
        const int file = openat(folder_, path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
          threads_[id] = {file, 0, true};
        }
      }
    }
  }
}

std::optional<std::int64_t> ProcessUsageReader::read_run_delay() {
  if (folder_ < 0) {
    return std::nullopt;
  }
  list_threads();
  std::int64_t total_ns = 0;
  for (auto at = threads_.begin(); at != threads_.end();) {
    Thread& thread = at->second;
    const auto delay_ns = read_delay(thread.file);
    if (delay_ns && thread.seen) {
      thread.delay_ns = std::max(thread.delay_ns, *delay_ns);
      total_ns += thread.delay_ns;
      ++at;
    } else {
      ended_delay_ns_ += thread.delay_ns;  // kept, so that the sum never falls
      close(thread.file);
      at = threads_.erase(at);
    }
  }
  if (threads_.empty()) {
    return std::nullopt;
  }
  return total_ns + ended_delay_ns_;
}

ProcessUsage ProcessUsageReader::read() {
  ProcessUsage usage;
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  usage.minor_faults = own.ru_minflt;
  usage.major_faults = own.ru_majflt;
  usage.voluntary_switches = own.ru_nvcsw;
  usage.involuntary_switches = own.ru_nivcsw;
  timespec cpu{};  // finer than rusage's microseconds
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  usage.cpu_ns = static_cast<std::int64_t>(cpu.tv_sec) * 1'000'000'000 + cpu.tv_nsec;
  usage.run_delay_ns = read_run_delay();
  return usage;
}

ProcessUsage difference(const ProcessUsage& before, const ProcessUsage& after) {
  ProcessUsage usage;
  usage.minor_faults = after.minor_faults - before.minor_faults;
  usage.major_faults = after.major_faults - before.major_faults;
  usage.voluntary_switches = after.voluntary_switches - before.voluntary_switches;
  usage.involuntary_switches = after.involuntary_switches - before.involuntary_switches;
  usage.cpu_ns = after.cpu_ns - before.cpu_ns;
  if (before.run_delay_ns && after.run_delay_ns) {
    usage.run_delay_ns = *after.run_delay_ns - *before.run_delay_ns;
  }
  return usage;
}

}  // namespace tune::machine
