#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace tune::worker {

/// Of all reasons why something is in a trace. `op` and `backward` are LibTorch's operators and the
/// nodes of its backward pass, `module` is a part of a model, everything else is an annotation.
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

/// One allocation, or with bytes < 0 one that is given back.
struct MemoryRow {
  std::int64_t time_ns = 0;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  std::int64_t total_allocated = 0, total_reserved = 0;  ///< 0: the allocator does not say
  std::int16_t device_type = 0, device = -1;             ///< c10's numbers: 0 is the CPU
};

}  // namespace tune::worker
