#pragma once

#include <cstddef>
#include <deque>
#include <optional>

namespace tune::worker {

/// Tracks which batch slots on a device are free, waiting with a batch, or in use. Batches are
/// taken in the order in which they came; at most one is in use.
class SlotOrder {
 public:
  /// At least one slot.
  explicit SlotOrder(std::size_t slots);

  /// Whether a slot is free for another batch.
  bool has_room() const { return !free_.empty(); }

  /// The slot for the next batch, which waits from now on. Needs room.
  std::size_t fill();

  /// Whether a batch waits.
  bool has_batch() const { return !waiting_.empty(); }

  /// The slot of the batch that waits longest, in use from now on. Needs a waiting batch, and the
  /// previous one released.
  std::size_t take();

  /// Frees the slot in use; returns which one it was, nothing when there was none.
  std::optional<std::size_t> release();

 private:
  std::deque<std::size_t> free_, waiting_;
  std::optional<std::size_t> in_use_;
};

}  // namespace tune::worker
