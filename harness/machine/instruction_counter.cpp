#include "machine/instruction_counter.h"

#include "base/whole_number.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostThreads = 1024;

// A thread that ends meanwhile is missing: what it has done before was not ours to count.
std::vector<int> threads_of(int process) {
  const std::string name = process == 0 ? "self" : std::to_string(process);
  std::vector<int> threads;
  std::error_code problem;
  for (auto entry = fs::directory_iterator("/proc/" + name + "/task", problem);
       !problem && entry != fs::directory_iterator();
       entry.increment(problem)) {
    if (const auto id = parse_whole<int>(entry->path().filename().native())) {
      threads.push_back(*id);
    }
  }
  return threads;
}

int open_event(const InstructionCounter::Event& event, int thread) {
  perf_event_attr wanted{};
  wanted.size = sizeof(wanted);
  wanted.type = event.type;
  wanted.config = event.config;
  wanted.exclude_kernel = wanted.exclude_hv = 1;  // what an ordinary user may count
  wanted.inherit = wanted.inherit_thread = 1;
  wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const auto open = [&] {
    return static_cast<int>(
        syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
  };
  int file = open();
  if (file < 0 && errno == EINVAL) {
    wanted.inherit_thread = 0;
    file = open();
  }
  return file;
}

}  // namespace

const InstructionCounter::Event InstructionCounter::kInstructions = {PERF_TYPE_HARDWARE,
                                                                     PERF_COUNT_HW_INSTRUCTIONS};

InstructionCounter::InstructionCounter(int process, const Event& event) {
  const std::vector<int> threads = threads_of(process);
  if (threads.empty()) {
    problem_ = "its threads cannot be listed";
  } else if (threads.size() > kMostThreads) {
    problem_ = std::to_string(threads.size()) + " threads are too many to count";
    return;
  }
  threads_.reserve(threads.size());
  for (const int thread : threads) {
    const int file = open_event(event, thread);
    if (file >= 0) {
      threads_.push_back(file);
    } else if (errno != ESRCH) {
      problem_ = std::string("perf_event_open: ") + std::strerror(errno);
      close_all();
      return;
    }
  }
}

InstructionCounter::~InstructionCounter() {
  close_all();
}

std::optional<std::int64_t> InstructionCounter::read() {
  struct {
    std::uint64_t count, enabled_ns, running_ns;
  } seen{};
  std::int64_t sum = 0;
  for (const int file : threads_) {
    if (::read(file, &seen, sizeof(seen)) != static_cast<ssize_t>(sizeof(seen))) {
      problem_ = "the counter cannot be read";
      return std::nullopt;
    }
    if (seen.running_ns < seen.enabled_ns) {
      problem_ = "other counters had the processor's for a part of the time";
      return std::nullopt;
    }
    sum += static_cast<std::int64_t>(seen.count);
  }
  return threads_.empty() ? std::nullopt : std::optional(sum);
}

void InstructionCounter::close_all() {
  for (const int file : threads_) {
    ::close(file);
  }
  threads_.clear();
}

}  // namespace tune::machine
