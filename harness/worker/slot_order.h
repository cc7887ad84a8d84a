#pragma once

#include <cstddef>
#include <deque>
#include <optional>

namespace tune::worker {

/// Which of the batch slots on a device is free, holds a batch that waits, or is in use. The
/// batches are taken in the order in which they came; at most one is in use.
class SlotOrder {
 public:
  /// At least one slot.
  explicit SlotOrder(std::size_t slots);

  /// A slot is free for another batch.
  bool has_room() const { return !free_.empty(); }

  /// The slot for the next batch, which waits from now on. Needs room.
  std::size_t fill();

  /// A batch waits.
  bool has_batch() const { return !waiting_.empty(); }

  /// The slot of the batch that waits longest, in use from now on. Needs a batch, and that the one
  /// before has been released.
  std::size_t take();

  /// The slot in use is free; which one it was, nothing when there was none.
  std::optional<std::size_t> release();

 private:
  std::deque<std::size_t> free_, waiting_;
  std::optional<std::size_t> in_use_;
};

}  // namespace tune::worker
