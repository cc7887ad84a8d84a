#include "campaign/run_lock.h"

#include "fake_campaign.h"

#include <gtest/gtest.h>

namespace tune::campaign {

TEST(RunLock, IsHeldByOneAndNamesTheHolder) {
  const TestFolder folder;
  std::string holder;
  auto first = RunLock::take(folder.path() / "runtime", "/runs/first", holder);
  ASSERT_TRUE(first);
  EXPECT_FALSE(RunLock::take(folder.path() / "runtime", "/runs/second", holder));
  EXPECT_EQ(holder, "pid " + std::to_string(getpid()) + ", run directory /runs/first");
}

TEST(RunLock, IsFreeAgainWhenItsHolderIsGone) {
  const TestFolder folder;
  std::string holder;
  { auto first = RunLock::take(folder.path(), "/runs/first", holder); }
  EXPECT_TRUE(RunLock::take(folder.path(), "/runs/second", holder));
}

TEST(RunLock, HoldsThroughANameWhenItsFileIsGone) {
  const TestFolder folder;
  std::string holder;
  auto first = RunLock::take(folder.path(), "/runs/first", holder);
  std::filesystem::remove(folder.path() / "run.lock");
  EXPECT_FALSE(RunLock::take(folder.path(), "/runs/second", holder));
  EXPECT_EQ(holder, "a run of another user or session");
}

}  // namespace tune::campaign
