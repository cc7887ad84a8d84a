#include "machine/process_usage.h"

#include "machine/text_file.h"

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
std::optional<ThreadSchedule> read_schedule(int file) {
  std::array<char, 96> text{};
  ssize_t got = -1;
  do {
    got = pread(file, text.data(), text.size(), 0);
  } while (got < 0 && errno == EINTR);
  const std::string_view line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const char* const end = line.data() + line.size();
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', first == std::string_view::npos ? first : first + 1);
  ThreadSchedule schedule;
  if (second == std::string_view::npos ||
      std::from_chars(line.data(), end, schedule.cpu_ns).ec != std::errc() ||
      std::from_chars(line.data() + first + 1, end, schedule.delay_ns).ec != std::errc() ||
      std::from_chars(line.data() + second + 1, end, schedule.turns).ec != std::errc()) {
    return std::nullopt;
  }
  return schedule;
}

void add(RunDelay& sum, const RunDelay& thread) {
  sum.delay_ns += thread.delay_ns;
  sum.turns += thread.turns;
  if (thread.pin_thread_cpu_ns) {
    sum.pin_thread_cpu_ns = sum.pin_thread_cpu_ns.value_or(0) + *thread.pin_thread_cpu_ns;
  }
}

// The entries of the system call; libc's readdir would allocate and take a lock.
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
  (void)std::from_chars(
      process.data(), process.data() + process.size(), main_);  // "self" is not a number
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

bool RunDelayReader::is_pin_thread(int id) const {
  const std::string path = std::to_string(id) + "/comm";
  const int file = openat(folder_, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  std::array<char, 32> name{};
  const ssize_t got = ::read(file, name.data(), name.size());
  close(file);
  return trimmed({name.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))}) == kPinThread;
}

void RunDelayReader::update(int id, Thread& thread, const ThreadSchedule& now) {
  constexpr int kNamings = 2;  // a thread names itself soon after its start
  RunDelay& seen = thread.seen;
  seen.delay_ns = std::max(seen.delay_ns, now.delay_ns);
  seen.turns = std::max(seen.turns, now.turns);
  if (seen.pin_thread_cpu_ns || (thread.readings < kNamings && is_pin_thread(id))) {
    seen.pin_thread_cpu_ns = std::max(seen.pin_thread_cpu_ns.value_or(0), now.cpu_ns);
  }
  ++thread.readings;
}

std::optional<RunDelay> RunDelayReader::read() {
  if (folder_ < 0) {
    return std::nullopt;
  }
  list_threads();
  RunDelay total;
  for (auto at = threads_.begin(); at != threads_.end();) {
    Thread& thread = at->second;
    const auto now = read_schedule(thread.file);
    if (now && thread.listed) {
      update(at->first, thread, *now);
      add(total, thread.seen);
      total.main_delay_ns += at->first == main_ ? thread.seen.delay_ns : 0;
      ++at;
    } else {
      add(ended_, thread.seen);  // kept, so that the sum never decreases
      close(thread.file);
      at = threads_.erase(at);
    }
  }
  if (threads_.empty()) {
    return std::nullopt;
  }
  add(total, ended_);
  return total;
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
  if (const auto delay = run_delay_.read()) {
    usage.run_delay_ns = delay->delay_ns;
    usage.main_run_delay_ns = delay->main_delay_ns;
  }
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
  if (before.main_run_delay_ns && after.main_run_delay_ns) {
    usage.main_run_delay_ns = *after.main_run_delay_ns - *before.main_run_delay_ns;
  }
  return usage;
}

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 50;

std::optional<std::int64_t> bounded(std::string_view text) {
  const auto number = to_number(text);
  return number && *number <= kMost ? number : std::nullopt;
}

constexpr std::size_t kFirst = 3, kLast = 24;  // the fields after the name that are read

// "<id> (<name>) <state> <parent> ...": the name may contain anything, also blanks and brackets.
// Fields are numbered from 1 as in proc(5); those after the name begin with 3.
class StatFields {
 public:
  explicit StatFields(std::string_view text) {
    const std::size_t close = text.rfind(')');
    text.remove_prefix(close == std::string_view::npos ? text.size() : close + 1);
    text = trimmed(text);
    for (std::string_view& field : fields_) {
      const std::size_t end = std::min(text.find(' '), text.size());
      field = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::optional<std::int64_t> number(std::size_t field) const {
    return bounded(fields_[field - kFirst]);
  }

 private:
  std::array<std::string_view, kLast - kFirst + 1> fields_;
};

std::int64_t tick_ns() {
  return 1'000'000'000 / std::max(1L, sysconf(_SC_CLK_TCK));
}

std::optional<std::int64_t> times(std::optional<std::int64_t> number, std::int64_t factor) {
  constexpr std::int64_t kMostNs = std::int64_t{1} << 62;
  return number && *number <= kMostNs / factor ? std::optional(*number * factor) : std::nullopt;
}

}  // namespace

ForeignProcessReader::ForeignProcessReader(int process, const std::filesystem::path& root)
    : folder_((root / "proc" / std::to_string(process)).string()),
      stat_(folder_ + "/stat", 1 << 12),
      io_(folder_ + "/io", 1 << 12),
      run_delay_(std::to_string(process), root) {}

ForeignUsage ForeignProcessReader::read() {
  ForeignUsage usage;
  const StatFields stat(stat_.read());
  usage.minor_faults = stat.number(10);
  usage.major_faults = stat.number(12);
  usage.user_ns = times(stat.number(14), tick_ns());
  usage.system_ns = times(stat.number(15), tick_ns());
  usage.threads = stat.number(20);
  usage.resident_bytes = times(stat.number(24), sysconf(_SC_PAGESIZE));
  const std::string_view io = io_.read();
  usage.read_bytes = bounded(value_of(io, "read_bytes", ':'));
  usage.written_bytes = bounded(value_of(io, "write_bytes", ':'));
  usage.run_delay = run_delay_.read();
  has_delay_ = usage.run_delay.has_value();
  return usage;
}

std::string ForeignProcessReader::stat_problem() const {
  return stat_.problem();
}

std::string ForeignProcessReader::io_problem() const {
  return io_.problem();
}

std::string ForeignProcessReader::delay_problem() const {
  return has_delay_ ? "" : folder_ + "/task: no schedstat can be read";
}

std::optional<std::int64_t> cpu_ns_with_children(int process, const std::filesystem::path& root) {
  constexpr std::array<std::size_t, 4> kUserToChildrensSystem = {14, 15, 16, 17};
  const std::string text = read_text(root / "proc" / std::to_string(process) / "stat");
  const StatFields stat(text);
  std::int64_t ticks = 0;
  for (const std::size_t field : kUserToChildrensSystem) {
    const auto number = stat.number(field);
    if (!number) {
      return std::nullopt;
    }
    ticks += *number;
  }
  return times(ticks, tick_ns());
}

std::optional<std::int64_t> thread_count(const std::filesystem::path& root) {
  return to_number(value_of(read_text(root / "proc/self/status"), "Threads", ':'));
}

}  // namespace tune::machine
