#pragma once

#include "worker/recorder/memory_room.h"
#include "worker/recorder/recorded_event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace tune::worker {

/// The inputs of one thread's events, each with its length before it, in chunks like those of
/// ChunkList.
class InputArena {
 public:
  explicit InputArena(MemoryRoom& room) : room_(room) {}

  /// Where the next inputs may be put; empty when there is no room.
  std::span<std::uint8_t> space() {
    if (used_ + kMostBytes > kChunkBytes * chunks_made_ && !grow()) {
      return {};
    }
    if (kChunkBytes - used_ % kChunkBytes < kMostBytes) {
      used_ += kChunkBytes - used_ % kChunkBytes;  // what is left of this chunk may be too little
    }
    return {at(used_) + kLengthBytes, kMostBytes - kLengthBytes};
  }

  /// The first `bytes` of space() are kept; the number that find() takes.
  std::uint32_t keep(std::size_t bytes) {
    const auto length = static_cast<std::uint32_t>(bytes);
    std::memcpy(at(used_), &length, kLengthBytes);
    const auto place = static_cast<std::uint32_t>(used_ / kAlignment);
    used_ += (kLengthBytes + bytes + kAlignment - 1) / kAlignment * kAlignment;
    return place;
  }

  std::span<const std::uint8_t> find(std::uint32_t place) const {
    const std::size_t offset = std::size_t{place} * kAlignment;
    const std::uint8_t* const begin =
        (*chunks_[offset / kChunkBytes]).data() + offset % kChunkBytes;
    std::uint32_t length = 0;
    std::memcpy(&length, begin, kLengthBytes);
    return {begin + kLengthBytes, length};
  }

  std::size_t bytes() const { return used_; }
  void truncate(std::size_t bytes) { used_ = bytes; }

 private:
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 10;  // of one event
  static constexpr std::size_t kLengthBytes = sizeof(std::uint32_t);
  static constexpr std::size_t kAlignment = 8;
  static constexpr std::size_t kMostChunks = 2048;
  using Chunk = std::array<std::uint8_t, kChunkBytes>;

  std::uint8_t* at(std::size_t offset) {
    return (*chunks_[offset / kChunkBytes]).data() + offset % kChunkBytes;
  }

  bool grow() {
    if (chunks_made_ == kMostChunks || !room_.take(kChunkBytes)) {
      return false;
    }
    chunks_[chunks_made_++] = std::make_unique<Chunk>();
    return true;
  }

  MemoryRoom& room_;
  std::array<std::unique_ptr<Chunk>, kMostChunks> chunks_;
  std::size_t chunks_made_ = 0;
  std::size_t used_ = 0;
};

}  // namespace tune::worker
