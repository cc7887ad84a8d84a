#pragma once

#include "worker/recorder/name_table.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tune::worker {

/// How much memory all threads of a recording may still use.
class MemoryRoom {
 public:
  explicit MemoryRoom(std::int64_t bytes) : left_(bytes) {}

  /// False: not enough is left, and nothing was taken.
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

/// The kinds of events in a trace. `op` and `backward` are LibTorch's operators and the nodes of
/// its backward pass, `module` is a part of a model, everything else is an annotation.
enum class EventKind : std::uint8_t { op, backward, annotation, module };

constexpr std::int64_t kNoSequence = -1;
constexpr std::uint32_t kNoInputs = std::numeric_limits<std::uint32_t>::max();

/// One call on one thread. Its thread writes it; others may read it once it has ended.
struct RecordedEvent {
  std::int64_t start_ns = 0;             ///< CLOCK_MONOTONIC
  std::atomic<std::int64_t> end_ns = 0;  ///< 0: it has not ended
  std::int64_t sequence = kNoSequence;   ///< joins forward and backward
  std::uint32_t name = 0;                ///< of the recording's names
  std::uint32_t forward_thread = 0;      ///< LibTorch's number; 0: not of a backward pass
  std::uint32_t inputs = kNoInputs;      ///< of the thread's inputs
  EventKind kind = EventKind::op;
};
static_assert(sizeof(RecordedEvent) <= 40);

/// One allocation, or with bytes < 0 one free.
struct MemoryRow {
  std::int64_t time_ns = 0;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  std::int64_t total_allocated = 0, total_reserved = 0;  ///< 0: the allocator does not say
  std::int16_t device_type = 0, device = -1;             ///< c10's numbers: 0 is the CPU
};

/// Rows that one thread appends and that never move, so that others may read the existing ones.
/// Memory comes in chunks that have been touched: using them causes no page fault.
template <class Row, std::size_t kRows>
class ChunkList {
 public:
  explicit ChunkList(MemoryRoom& room) : room_(room) {}

  /// A place for a row that publish() makes visible. Null when there is no room.
  Row* next() {
    const std::size_t index = size_.load(std::memory_order_relaxed);
    if (index == capacity_ && !grow()) {
      return nullptr;
    }
    return &(*chunks_[index / kRows])[index % kRows];
  }

  /// Publishes the row from next(), whose contents are complete.
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

  /// Called by its own thread: discards the rows from `size` on, keeps their memory.
  void truncate(std::uint32_t size) { size_.store(size, std::memory_order_relaxed); }

  /// Called by its own thread: allocates memory for this many more rows, as far as there is room.
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

/// The inputs of one thread's events, each with its length before it, in chunks like those of
/// ChunkList.
class InputArena {
 public:
  explicit InputArena(MemoryRoom& room) : room_(room) {}

  /// The space for the next inputs; empty when there is no room.
  std::span<std::uint8_t> space() {
    if (used_ + kMostBytes > kChunkBytes * chunks_made_ && !grow()) {
      return {};
    }
    if (kChunkBytes - used_ % kChunkBytes < kMostBytes) {
      used_ += kChunkBytes - used_ % kChunkBytes;  // the rest of this chunk may be too small
    }
    return {at(used_) + kLengthBytes, kMostBytes - kLengthBytes};
  }

  /// Keeps the first `bytes` of space(); returns the number for find().
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

/// What is known about a call when it begins.
struct EventStart {
  EventKind kind = EventKind::op;
  std::uint32_t name = 0;
  std::int64_t sequence = kNoSequence;
  std::uint32_t forward_thread = 0;
  std::uint32_t inputs = kNoInputs;
};

/// The recording of one thread. Everything except the const part is only for that thread; no call
/// takes a lock, except for names that it sees for the first time. Events without room are counted.
class ThreadLog {
 public:
  struct Owner {
    std::int64_t thread = 0;  ///< gettid()
    std::string name;
  };
  using Events = ChunkList<RecordedEvent, 8192>;
  using MemoryRows = ChunkList<MemoryRow, 2048>;

  ThreadLog(Owner owner, MemoryRoom& room, NameTable& names);

  const NameTable::Name& name(std::string_view text) { return names_.find(text); }

  /// Each begin() has its end(); the last one that began ends first. The clock is read last in
  /// begin() and first in end(), so that recording is not part of the event.
  void begin(const EventStart& start);
  void end();

  void add(const MemoryRow& row);

  /// For the inputs of the event that begins next: put them into the space, then keep them. Without
  /// room they are counted as lost, and kNoInputs is returned.
  std::span<std::uint8_t> input_space() { return inputs_.space(); }
  std::uint32_t keep_inputs(std::size_t bytes);

  /// LibTorch's number of this thread, which backward events refer to.
  void set_torch_thread(std::uint32_t number) { torch_thread_ = number; }

  /// The current position, and the way back to it: events in between are discarded, their memory is
  /// kept. No event that began in between may still be open.
  struct Mark {
    std::uint32_t events = 0, memory = 0;
    std::size_t inputs = 0;
  };
  Mark mark() const { return {events_.size(), memory_.size(), inputs_.bytes()}; }
  void rewind(const Mark& mark);

  /// Prepares memory for `times` as much as was recorded since the mark.
  void reserve(const Mark& since, double times);

  const Owner& owner() const { return owner_; }
  std::uint32_t torch_thread() const { return torch_thread_; }
  const Events& events() const { return events_; }
  const MemoryRows& memory() const { return memory_; }
  std::span<const std::uint8_t> inputs(std::uint32_t place) const { return inputs_.find(place); }
  std::int64_t input_bytes() const { return input_bytes_.load(std::memory_order_relaxed); }
  std::int64_t lost_events() const { return lost_events_.load(std::memory_order_relaxed); }
  std::int64_t lost_inputs() const { return lost_inputs_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kDeepest = 512;
  static constexpr std::uint32_t kLost = kNoInputs;
  using Counter = std::atomic<std::int64_t>;

  static void count(Counter& counter) {  // one thread counts, so no locked add is needed
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  const Owner owner_;
  NameCache names_;
  Events events_;
  MemoryRows memory_;
  InputArena inputs_;
  std::array<std::uint32_t, kDeepest> open_{};  // indices of open events
  std::size_t depth_ = 0;
  std::uint32_t torch_thread_ = 0;
  Counter lost_events_ = 0, lost_inputs_ = 0, input_bytes_ = 0;
};

}  // namespace tune::worker
