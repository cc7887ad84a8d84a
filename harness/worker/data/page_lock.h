#pragma once

#include <cstddef>

namespace tune::worker {

/// Locks pages of memory that somebody else owns, so that a device copies from them without a
/// detour. libtune_cuda.so has one; tests give their own.
class PageLocker {
 public:
  virtual ~PageLocker() = default;

  /// False: the system refuses. To be unlocked before the owner gives the memory back.
  virtual bool lock_pages(void* begin, std::size_t bytes) = 0;
  virtual void unlock_pages(void* begin) = 0;
};

/// Memory that is page-locked as long as this lives.
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

}  // namespace tune::worker
