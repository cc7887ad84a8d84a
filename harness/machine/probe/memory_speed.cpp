#include "machine/probe/memory_speed.h"

#include "base/background_thread.h"
#include "machine/memory.h"
#include "machine/probe/timed_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace tune::probe {

namespace {

constexpr std::size_t kCopyBytes = std::size_t{256} << 20;
constexpr std::size_t kQuickBytes = std::size_t{32} << 20;
constexpr std::size_t kFaultBytes = std::size_t{32} << 20;

class Mapped {
 public:
  explicit Mapped(std::size_t bytes)
      : bytes_(bytes),
        at_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapped() {
    if (is_there()) {
      munmap(at_, bytes_);
    }
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  bool is_there() const { return at_ != MAP_FAILED; }
  unsigned char* data() const { return static_cast<unsigned char*>(at_); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  void* at_;
};

// Each thread copies its own part; the calling thread takes the first.
void copy(const Mapped& from, const Mapped& to, int threads) {
  const std::size_t part = from.bytes() / static_cast<std::size_t>(threads);
  const auto copy_part = [&](std::size_t index) {
    std::memcpy(to.data() + index * part, from.data() + index * part, part);
  };
  std::vector<std::jthread> others;
  others.reserve(static_cast<std::size_t>(threads));
  for (int i = 1; i < threads; ++i) {
    others.push_back(start_thread([&, i] { copy_part(static_cast<std::size_t>(i)); }));
  }
  copy_part(0);
}

std::vector<double> inverted(std::vector<double> seconds, double work) {
  for (double& value : seconds) {
    value = work / value;
  }
  return seconds;
}

// At most an eighth of the free memory for both.
std::size_t copy_bytes(const Effort& effort) {
  const std::size_t wanted = effort.is_quick ? kQuickBytes : kCopyBytes;
  const auto free_bytes = machine::AvailableMemoryReader().read_bytes();
  return free_bytes ? std::min(wanted, static_cast<std::size_t>(*free_bytes) / 16) : kQuickBytes;
}

Number copy_rate(const Mapped& from, const Mapped& to, int threads, const Effort& effort) {
  Number number{
      "memory_copy_rate", std::to_string(threads) + (threads == 1 ? " thread" : " threads"), "B/s"};
  const std::string late = why_too_late(effort);
  if (!late.empty() || !from.is_there() || !to.is_there()) {
    return not_measured(number, late.empty() ? "there is not enough memory" : late);
  }
  const auto seconds = seconds_per_call({.work = [&] { copy(from, to, threads); },
                                         .repetitions = effort.is_quick ? 3 : 9,
                                         .least_s = effort.is_quick ? 0.01 : 0.1});
  return of_samples(number, inverted(seconds, 2.0 * static_cast<double>(from.bytes())));
}

void touch_new_pages(std::size_t page) {
  const Mapped memory(kFaultBytes);
  if (!memory.is_there()) {
    return;
  }
  madvise(memory.data(), memory.bytes(), MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < memory.bytes(); at += page) {
    static_cast<volatile unsigned char*>(memory.data())[at] = 1;
  }
}

Number fault_rate(const Effort& effort) {
  Number number{"page_fault_rate", "1 thread", "1/s"};
  if (const std::string late = why_too_late(effort); !late.empty()) {
    return not_measured(number, late);
  }
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto seconds = seconds_per_call({.work = [&] { touch_new_pages(page); },
                                         .repetitions = effort.is_quick ? 3 : 9,
                                         .least_s = effort.is_quick ? 0.01 : 0.05});
  const std::size_t pages = kFaultBytes / page;
  return of_samples(number, inverted(seconds, static_cast<double>(pages)));
}

}  // namespace

std::vector<int> thread_counts(int cpus) {
  constexpr std::size_t kMost = 5;
  std::vector<int> counts;
  for (int count = 1; count < cpus && counts.size() + 1 < kMost; count *= 2) {
    counts.push_back(count);
  }
  counts.push_back(std::max(1, cpus));
  return counts;
}

std::vector<Number> memory_speed(const std::vector<int>& thread_counts, const Effort& effort) {
  const std::size_t bytes = copy_bytes(effort);
  const Mapped from(bytes);
  const Mapped to(bytes);
  for (const Mapped* memory : {&from, &to}) {
    if (memory->is_there()) {
      std::memset(
          memory->data(), 1, memory->bytes());  // pages are made here, not during the timing
    }
  }
  std::vector<Number> numbers;
  numbers.reserve(thread_counts.size() + 1);
  for (const int threads : thread_counts) {
    numbers.push_back(copy_rate(from, to, threads, effort));
  }
  numbers.push_back(fault_rate(effort));
  return numbers;
}

}  // namespace tune::probe
