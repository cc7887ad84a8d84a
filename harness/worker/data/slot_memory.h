#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tune::worker {

/// Locks pages of memory that somebody else owns, so that a device copies from them directly.
/// libtune_cuda.so has one; tests use their own.
class PageLocker {
 public:
  virtual ~PageLocker() = default;

  /// False: the system refuses. Must be unlocked before the owner frees the memory.
  virtual bool lock_pages(void* begin, std::size_t bytes) = 0;
  virtual void unlock_pages(void* begin) = 0;
};

/// Memory that is page-locked during the lifetime of this object.
class LockedPages {
 public:
  /// Throws std::runtime_error with a sentence for the user when the system refuses.
  LockedPages(PageLocker& locker, void* begin, std::size_t bytes);
  ~LockedPages() {
    if (locker_ != nullptr) {
      locker_->unlock_pages(begin_);
    }
  }
  LockedPages(LockedPages&& other) noexcept : locker_(other.locker_), begin_(other.begin_) {
    other.locker_ = nullptr;
  }
  LockedPages(const LockedPages&) = delete;
  LockedPages& operator=(const LockedPages&) = delete;
  LockedPages& operator=(LockedPages&&) = delete;

 private:
  PageLocker* locker_;
  void* begin_;
};

/// The memory of all batch slots: page-aligned, with huge pages if available, and touched
/// beforehand, so that no page fault falls into a measured step. Page-locked if a locker is given.
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
