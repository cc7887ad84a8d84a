#include "worker/data/slot_memory.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <utility>

namespace tune::worker {

namespace {

class Locker final : public PageLocker {
 public:
  bool lock_pages(void* begin, std::size_t bytes) override {
    return is_willing && locked.emplace(begin, bytes).second;
  }
  void unlock_pages(void* begin) override { locked.erase(begin); }

  bool is_willing = true;
  std::map<void*, std::size_t> locked;
};

TEST(PageLock, PagesAreLockedAsLongAsItLives) {
  Locker locker;
  char memory[16] = {};
  {
    LockedPages pages(locker, memory, sizeof memory);
    EXPECT_EQ(locker.locked.at(memory), sizeof memory);
    const LockedPages moved(std::move(pages));
    EXPECT_EQ(locker.locked.size(), 1U);
  }
  EXPECT_TRUE(locker.locked.empty());
}

TEST(PageLock, ARefusalIsTheUsersSentence) {
  Locker locker;
  locker.is_willing = false;
  char memory[16] = {};
  try {
    const LockedPages pages(locker, memory, sizeof memory);
    ADD_FAILURE() << "nobody refused";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "knobs.pin_memory: the driver refuses to page-lock 16 B (too little memory?) "
                 "false?");
  }
}

TEST(PageLock, SlotsAreLockedAsOne) {
  Locker locker;
  {
    const SlotMemory memory(3, 5'000, &locker);
    ASSERT_EQ(locker.locked.size(), 1U);
    EXPECT_EQ(locker.locked.begin()->first, memory.slot(0));
    EXPECT_EQ(locker.locked.begin()->second, 3U * 8'192U) << "whole pages";
  }
  EXPECT_TRUE(locker.locked.empty()) << "before the memory is gone";
  locker.is_willing = false;
  EXPECT_THROW(SlotMemory(1, 1, &locker), std::runtime_error);
  const SlotMemory pageable(1, 1);
  EXPECT_NE(pageable.slot(0), nullptr);
}

}  // namespace

}  // namespace tune::worker
