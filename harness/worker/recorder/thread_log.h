#pragma once

#include "worker/recorder/chunk_list.h"
#include "worker/recorder/input_arena.h"
#include "worker/recorder/name_cache.h"
#include "worker/recorder/recorded_event.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tune::worker {

/// What is known of a call when it begins.
struct EventStart {
  EventKind kind = EventKind::op;
  std::uint32_t name = 0;
  std::int64_t sequence = kNoSequence;
  std::uint32_t forward_thread = 0;
  std::uint32_t inputs = kNoInputs;
};

/// What one thread records. Everything but the const part is for that thread alone; no call takes a
/// lock, but for names that it meets for the first time. What there is no room for is counted.
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

  /// Each begin() has its end(); the last one that began ends first. The clock is read last in the
  /// one and first in the other, so that recording is no part of the event.
  void begin(const EventStart& start);
  void end();

  void add(const MemoryRow& row);

  /// For the inputs of the event that begins next: put them into the space, then keep them. Without
  /// room they are counted as lost, and kNoInputs is returned.
  std::span<std::uint8_t> input_space() { return inputs_.space(); }
  std::uint32_t keep_inputs(std::size_t bytes);

  /// LibTorch's number of this thread, which backward events name.
  void set_torch_thread(std::uint32_t number) { torch_thread_ = number; }

  /// Where the log stands, and back to it: what came in between is forgotten, its memory is kept.
  /// Nothing that began there may still go on.
  struct Mark {
    std::uint32_t events = 0, memory = 0;
    std::size_t inputs = 0;
  };
  Mark mark() const { return {events_.size(), memory_.size(), inputs_.bytes()}; }
  void rewind(const Mark& mark);

  /// Has memory ready for `times` as much as came since the mark.
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
  std::array<std::uint32_t, kDeepest> open_{};  // indices of events that go on
  std::size_t depth_ = 0;
  std::uint32_t torch_thread_ = 0;
  Counter lost_events_ = 0, lost_inputs_ = 0, input_bytes_ = 0;
};

}  // namespace tune::worker
