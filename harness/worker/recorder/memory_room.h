#pragma once

#include <atomic>
#include <cstdint>

namespace tune::worker {

/// How much memory all threads of a recording may still take.
class MemoryRoom {
 public:
  explicit MemoryRoom(std::int64_t bytes) : left_(bytes) {}

  /// False: there is not so much left, and nothing was taken.
  bool take(std::int64_t bytes) {
    if (left_.fetch_sub(bytes, std::memory_order_relaxed) >= bytes) {
      return true;
    }
    left_.fetch_add(bytes, std::memory_order_relaxed);
    return false;
  }

 private:
  std::atomic<std::int64_t> left_;
};

}  // namespace tune::worker
