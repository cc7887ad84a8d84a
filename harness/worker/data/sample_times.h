#pragma once

#include "trial/trial_reply.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::worker {

/// A histogram of the wall time of one thread's samples, in classes an eighth of an octave wide.
/// Written by that thread, read by the reporting thread; a sample costs a few nanoseconds.
class alignas(128) SampleTimes {
 public:
  void add(std::int64_t ns);

  std::int64_t count() const { return count_.load(std::memory_order_relaxed); }
  std::int64_t total_ns() const { return total_ns_.load(std::memory_order_relaxed); }

 private:
  friend std::int64_t sample_quantile_ns(const std::vector<const SampleTimes*>&, double);
  static constexpr std::size_t kParts = 8, kClasses = 64 * kParts;

  static std::size_t class_of(std::int64_t ns);
  static double middle_ns(std::size_t number);

  std::atomic<std::int64_t> count_ = 0, total_ns_ = 0;
  std::array<std::atomic<std::int32_t>, kClasses> classes_ = {};
};

/// The quantile of the sample times of all threads, accurate to a sixteenth. 0 without samples.
std::int64_t sample_quantile_ns(const std::vector<const SampleTimes*>& threads, double share);

/// The mean sample time of the slowest thread / that of the median thread (gpuprof). 1 with one
/// thread, or when fewer than two threads have made samples.
double slowest_thread_ratio(const std::vector<const SampleTimes*>& threads);

}  // namespace tune::worker
