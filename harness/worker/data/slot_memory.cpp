#include "worker/data/slot_memory.h"

#include "base/units.h"

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace tune::worker {

LockedPages::LockedPages(PageLocker& locker, void* begin, std::size_t bytes)
    : locker_(&locker), begin_(begin) {
  if (!locker.lock_pages(begin, bytes)) {
    std::string text = "knobs.pin_memory: the driver refuses to page-lock ";
    text += format_bytes(static_cast<std::int64_t>(bytes));
    text += " (too little memory?) false?";
    throw std::runtime_error(text);
  }
}

namespace {

constexpr std::int64_t kPage = 4096;

}  // namespace

SlotMemory::SlotMemory(std::int64_t slots, std::int64_t slot_bytes, PageLocker* locker)
    : stride_((slot_bytes + kPage - 1) / kPage * kPage),
      bytes_(static_cast<std::size_t>(slots) * static_cast<std::size_t>(stride_)) {
  void* const memory =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  begin_ = static_cast<std::uint8_t*>(memory);
  madvise(memory, bytes_, MADV_HUGEPAGE);  // advice: a refusal only changes speed
  for (std::size_t offset = 0; offset < bytes_; offset += kPage) {
    begin_[offset] = 0;
  }
  if (locker != nullptr) {
    try {
      pages_.emplace(*locker, memory, bytes_);
    } catch (...) {
      munmap(memory, bytes_);
      throw;
    }
  }
}

SlotMemory::~SlotMemory() {
  pages_.reset();
  munmap(begin_, bytes_);
}

}  // namespace tune::worker
