#pragma once

#include "worker/recorder/memory_room.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tune::worker {

/// Rows that one thread appends and that never move, so that others may read those that are there.
/// Memory comes in chunks that have been written to once: no page of them is missing when it is
/// used.
template <class Row, std::size_t kRows>
class ChunkList {
 public:
  explicit ChunkList(MemoryRoom& room) : room_(room) {}

  /// For a row that publish() makes visible. Null when there is no room for it.
  Row* next() {
    const std::size_t index = size_.load(std::memory_order_relaxed);
    if (index == capacity_ && !grow()) {
      return nullptr;
    }
    return &(*chunks_[index / kRows])[index % kRows];
  }

  /// Of the row from next(), whose contents are complete.
  std::uint32_t publish() {
    const std::uint32_t index = size_.load(std::memory_order_relaxed);
    size_.store(index + 1, std::memory_order_release);
    return index;
  }

  Row& operator[](std::size_t index) { return (*chunks_[index / kRows])[index % kRows]; }
  const Row& operator[](std::size_t index) const {
    return (*chunks_[index / kRows])[index % kRows];
  }

  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }

  /// By its own thread: rows from `size` on are forgotten, their memory is kept.
  void truncate(std::uint32_t size) { size_.store(size, std::memory_order_relaxed); }

  /// By its own thread: memory for so many rows more, as far as there is room.
  void reserve(std::size_t more) {
    const std::size_t wanted = size_.load(std::memory_order_relaxed) + more;
    while (capacity_ < wanted && grow()) {
    }
  }

 private:
  using Chunk = std::array<Row, kRows>;
  static constexpr std::size_t kMostChunks = 2048;

  bool grow() {
    const std::size_t chunk = capacity_ / kRows;
    if (chunk == kMostChunks || !room_.take(static_cast<std::int64_t>(sizeof(Chunk)))) {
      return false;
    }
    chunks_[chunk] = std::make_unique<Chunk>();  // zeroed, which touches every page
    capacity_ += kRows;
    return true;
  }

  MemoryRoom& room_;
  std::array<std::unique_ptr<Chunk>, kMostChunks> chunks_;
  std::size_t capacity_ = 0;
  std::atomic<std::uint32_t> size_ = 0;
};

}  // namespace tune::worker
