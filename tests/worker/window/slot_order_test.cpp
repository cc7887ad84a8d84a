#include "worker/slot_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tune::worker {
namespace {

TEST(SlotOrder, OneSlotHoldsTheBatchInUseAndNoOther) {
  SlotOrder order(1);
  EXPECT_FALSE(order.has_batch());
  ASSERT_TRUE(order.has_room());
  EXPECT_EQ(order.fill(), 0U);
  EXPECT_FALSE(order.has_room());
  EXPECT_EQ(order.take(), 0U);
  EXPECT_FALSE(order.has_room()) << "it is in use";
  EXPECT_EQ(order.release(), 0U);
  EXPECT_TRUE(order.has_room());
  EXPECT_EQ(order.release(), std::nullopt);
}

TEST(SlotOrder, BatchesComeInTheOrderInWhichTheyWereCopied) {
  SlotOrder order(3);
  const std::size_t first = order.fill(), second = order.fill();
  EXPECT_NE(first, second);
  EXPECT_EQ(order.take(), first);
  const std::size_t third = order.fill();
  order.release();
  EXPECT_EQ(order.take(), second);
  order.release();
  EXPECT_EQ(order.take(), third);
}

// As the training thread uses it: a slot in use is never filled.
TEST(SlotOrder, ASlotInUseIsNotFilledHoweverManyThereAre) {
  for (std::size_t slots = 1; slots <= 8; ++slots) {
    SlotOrder order(slots);
    std::vector<std::int64_t> batch_in(slots, -1);
    std::int64_t copied = 0;
    for (std::int64_t step = 0; step < 100; ++step) {
      order.release();
      if (!order.has_batch()) {
        batch_in[order.fill()] = copied++;
      }
      const std::size_t used = order.take();
      EXPECT_EQ(batch_in[used], step);
      while (order.has_room()) {
        const std::size_t slot = order.fill();
        EXPECT_NE(slot, used);
        batch_in[slot] = copied++;
      }
    }
    EXPECT_EQ(copied, 100 + static_cast<std::int64_t>(slots) - 1) << "this many are ahead";
  }
}

}  // namespace
}  // namespace tune::worker
