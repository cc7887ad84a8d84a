#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tune::worker {

/// Bytes that are kept from sample to sample: it grows, never shrinks and is never cleared, so that
/// a loader in steady state asks for no memory.
class GrowBuffer {
 public:
  /// At least `bytes` bytes; what they hold is not kept when it has to grow.
  std::uint8_t* at_least(std::size_t bytes) {
    if (bytes > capacity_) {
      data_.reset();
      capacity_ = 0;
      // Plain new leaves the bytes unset: clearing them would be a second pass over memory.
      data_.reset(new std::uint8_t[bytes + bytes / 2]);
      capacity_ = bytes + bytes / 2;
    }
    return data_.get();
  }

  std::uint8_t* data() const { return data_.get(); }
  std::size_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<std::uint8_t[]> data_;
  std::size_t capacity_ = 0;
};

}  // namespace tune::worker
