#include "worker/reference_work.h"

#include "base/clock.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <new>
#include <span>
#include <sys/mman.h>

namespace tune::worker {

namespace {

constexpr std::size_t kNumbers = 1024;  // 4 KiB
constexpr int kPasses = 2000;

std::int64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace

std::int64_t time_core_probe_ns() {
  alignas(64) std::array<float, kNumbers> numbers;
  numbers.fill(1);
  const std::int64_t start_ns = thread_cpu_ns();
  for (int pass = 0; pass < kPasses; ++pass) {
    for (float& number : numbers) {
      number = number * 0.5F + 1.0F;  // goes to 2: neither large nor denormal
    }
    asm volatile("" : : "r"(numbers.data()) : "memory");  // each pass is done
  }
  return thread_cpu_ns() - start_ns;
}

namespace {

constexpr std::size_t kSide = 192;
constexpr int kProducts = 20;
constexpr std::size_t kCopyBytes = 8 << 20;  // more than a core's own cache
constexpr int kCopies = 20;
constexpr int kSymbols = 8'000'000;

using Matrix = std::array<float, kSide * kSide>;

struct Memory {
  Matrix left, right, product;
  std::array<unsigned char, kCopyBytes> from, to;
  std::array<std::uint32_t, 4096> table;
};

// Not from malloc: freeing such a large block would change how malloc treats later blocks of the
// trial.
class MappedMemory {
 public:
  MappedMemory()
      : at_(mmap(
            nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (at_ == MAP_FAILED) {
      throw std::bad_alloc();
    }
    madvise(at_, sizeof(Memory), MADV_NOHUGEPAGE);  // there may be huge pages now and none later
  }
  ~MappedMemory() { munmap(at_, sizeof(Memory)); }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  Memory& get() { return *static_cast<Memory*>(at_); }

 private:
  void* at_;
};

std::uint32_t next_random(std::uint32_t& state) {  // xorshift
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// Touches every page, so that none is created during the measurement.
void fill(Memory& memory) {
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < memory.left.size(); ++i) {
    memory.left[i] = static_cast<float>(next_random(state) % 64) / 64;
    memory.right[i] = static_cast<float>(next_random(state) % 64) / 64;
  }
  memory.product.fill(0);
  for (std::uint32_t& entry : memory.table) {
    entry = next_random(state);
  }
  std::memset(memory.from.data(), 7, memory.from.size());
  std::memset(memory.to.data(), 0, memory.to.size());
}

void multiply(Memory& memory) {
  for (std::size_t row = 0; row < kSide; ++row) {
    const std::span product(&memory.product[row * kSide], kSide);
    for (std::size_t k = 0; k < kSide; ++k) {
      const float factor = memory.left[row * kSide + k];
      const std::span right(&memory.right[k * kSide], kSide);
      for (std::size_t column = 0; column < kSide; ++column) {
        product[column] += factor * right[column];
      }
    }
  }
}

void copy(Memory& memory, int round) {
  memory.from[static_cast<std::size_t>(round) * 4096] ^= 1;
  std::memcpy(memory.to.data(), memory.from.data(), kCopyBytes);
  memory.from[static_cast<std::size_t>(round) * 4096 + 1] ^= memory.to[kCopyBytes - 1];
}

// Each symbol's length depends on the previous one, and its meaning on a table.
std::uint64_t decode(const Memory& memory) {
  std::uint64_t bits = 0x9E3779B97F4A7C15;
  std::uint64_t sum = 0;
  for (int i = 0; i < kSymbols; ++i) {
    const std::uint32_t entry = memory.table[bits & (memory.table.size() - 1)];
    sum += (entry & 16) != 0 ? entry : ~entry;
    bits = std::rotl(bits, 1 + static_cast<int>(entry & 7)) + entry;
  }
  return sum;
}

}  // namespace

SentinelRun run_sentinel() {
  MappedMemory mapped;
  Memory& memory = mapped.get();
  fill(memory);
  SentinelRun run;
  const std::int64_t start_ns = monotonic_ns();
  for (int i = 0; i < kProducts; ++i) {
    multiply(memory);
  }
  for (int i = 0; i < kCopies; ++i) {
    copy(memory, i);
  }
  run.checksum = decode(memory);
  for (std::size_t i = 0; i < kSide; ++i) {
    run.checksum += std::bit_cast<std::uint32_t>(memory.product[i * (kSide + 1)]);
  }
  run.checksum += memory.to[0] + memory.from[1];
  run.wall_ns = monotonic_ns() - start_ns;
  return run;
}

}  // namespace tune::worker
