#pragma once

#include "worker/data/page_lock.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tune::worker {

/// The memory of all batch slots: page-aligned, huge pages where the system gives them, and touched
/// beforehand, so that no page fault falls into a measured step. Page-locked where somebody can.
class SlotMemory {
 public:
  /// Throws std::bad_alloc; std::runtime_error when the pages cannot be locked.
  SlotMemory(std::int64_t slots, std::int64_t slot_bytes, PageLocker* locker = nullptr);
  ~SlotMemory();
  SlotMemory(const SlotMemory&) = delete;
  SlotMemory& operator=(const SlotMemory&) = delete;

  std::uint8_t* slot(std::int64_t index) const { return begin_ + index * stride_; }

 private:
  std::uint8_t* begin_ = nullptr;
  std::int64_t stride_ = 0;
  std::size_t bytes_ = 0;
  std::optional<LockedPages> pages_;
};

}  // namespace tune::worker
