#include "worker/core_probe.h"

#include <array>
#include <cstddef>
#include <ctime>

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

}  // namespace tune::worker
