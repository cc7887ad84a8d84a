#include "worker/slot_order.h"

#include "base/assert.h"

#include <numeric>

namespace tune::worker {

SlotOrder::SlotOrder(std::size_t slots) : free_(slots) {
  TUNE_ASSERT(slots > 0);
  std::iota(free_.begin(), free_.end(), std::size_t{0});
}

std::size_t SlotOrder::fill() {
  TUNE_ASSERT(has_room());
  const std::size_t slot = free_.front();
  free_.pop_front();
  waiting_.push_back(slot);
  return slot;
}

std::size_t SlotOrder::take() {
  TUNE_ASSERT(has_batch() && !in_use_);
  in_use_ = waiting_.front();
  waiting_.pop_front();
  return *in_use_;
}

std::optional<std::size_t> SlotOrder::release() {
  const std::optional<std::size_t> used = in_use_;
  if (used) {
    free_.push_back(*used);
    in_use_.reset();
  }
  return used;
}

}  // namespace tune::worker
