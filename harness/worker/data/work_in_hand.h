#pragma once

#include "base/monotonic_clock.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::worker {

struct ImageSamples;

/// The sample that one thread is at, for whoever asks why nothing comes. Written by that thread,
/// read by others at any time: the parts may belong to two samples that follow one another.
class alignas(128) WorkInHand {
 public:
  enum class Stage { none, reading, decoding };

  void begin(std::int64_t sample) {
    since_ns_.store(monotonic_ns(), std::memory_order_relaxed);
    sample_.store(sample, std::memory_order_relaxed);
    stage_.store(Stage::reading, std::memory_order_relaxed);
  }
  void decode() { stage_.store(Stage::decoding, std::memory_order_relaxed); }
  void end() { stage_.store(Stage::none, std::memory_order_relaxed); }

  Stage stage() const { return stage_.load(std::memory_order_relaxed); }
  std::int64_t sample() const { return sample_.load(std::memory_order_relaxed); }
  std::int64_t since_ns() const { return since_ns_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Stage> stage_ = Stage::none;
  std::atomic<std::int64_t> sample_ = 0, since_ns_ = 0;
};

/// "the loader is reading /data/a.jpg (20s), decoding /data/b.jpg (12s)": those that take longest
/// first, on one line of bounded length.
std::string describe_work(const ImageSamples& samples,
                          const std::vector<const WorkInHand*>& threads,
                          std::int64_t now_ns);

}  // namespace tune::worker
