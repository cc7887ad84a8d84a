#include "worker/data/sample_times.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tune::worker {

namespace {

constexpr int kPartBits = 3;  // of an octave: eight parts

void increase(std::atomic<std::int64_t>& sum, std::int64_t by) {  // one thread writes
  sum.store(sum.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace

std::size_t SampleTimes::class_of(std::int64_t ns) {
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, kParts));
  const int octave = static_cast<int>(std::bit_width(value)) - 1;
  const auto part = static_cast<std::size_t>(value >> (octave - kPartBits)) & (kParts - 1);
  return static_cast<std::size_t>(octave) * kParts + part;
}

double SampleTimes::middle_ns(std::size_t number) {
  const double octave = std::ldexp(1.0, static_cast<int>(number / kParts));
  return octave * (1 + (static_cast<double>(number % kParts) + 0.5) / kParts);
}

void SampleTimes::add(std::int64_t ns) {
  increase(count_, 1);
  increase(total_ns_, ns);
  std::atomic<std::int32_t>& one = classes_[class_of(ns)];
  one.store(one.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::int64_t sample_quantile_ns(const std::vector<const SampleTimes*>& threads, double share) {
  std::array<std::int64_t, SampleTimes::kClasses> classes = {};
  std::int64_t count = 0;
  for (const SampleTimes* const thread : threads) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const std::int64_t own = thread->classes_[i].load(std::memory_order_relaxed);
      classes[i] += own;
      count += own;
    }
  }
  const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count)));
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < classes.size() && count > 0; ++i) {
    seen += classes[i];
    if (seen >= wanted && classes[i] > 0) {
      return std::llround(SampleTimes::middle_ns(i));
    }
  }
  return 0;
}

double slowest_thread_ratio(const std::vector<const SampleTimes*>& threads) {
  std::vector<double> means;
  for (const SampleTimes* const thread : threads) {
    if (thread->count() > 0) {
      means.push_back(static_cast<double>(thread->total_ns()) /
                      static_cast<double>(thread->count()));
    }
  }
  if (means.size() < 2) {
    return 1;
  }
  std::sort(means.begin(), means.end());
  const std::size_t middle = means.size() / 2;
  const double median =
      means.size() % 2 == 1 ? means[middle] : (means[middle - 1] + means[middle]) / 2;
  return median > 0 ? means.back() / median : 1;
}

}  // namespace tune::worker
