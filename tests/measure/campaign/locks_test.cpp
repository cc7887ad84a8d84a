#include "measure/campaign/locks.h"

#include "base/file.h"
#include "fake_campaign.h"
#include "machine/machine_facts.h"
#include "test_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tune::campaign {

namespace {

std::string own_name(pid_t process) {
  return "pid " + std::to_string(process) + " on " + machine::host_name();
}

}  // namespace

TEST(DirectoryLock, IsHeldByOneAndNamesTheHolder) {
  const TestFolder folder;
  std::string holder;
  const auto first = DirectoryLock::take(folder.path(), holder);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->is_kept());
  EXPECT_FALSE(DirectoryLock::take(folder.path(), holder));
  EXPECT_EQ(holder, own_name(getpid()));
  EXPECT_FALSE(DirectoryLock::take(folder.path(), holder)) << "who asks takes nothing away";
}

TEST(DirectoryLock, IsFreeAgainAndNamesNobody) {
  const TestFolder folder;
  std::string holder;
  { const auto first = DirectoryLock::take(folder.path(), holder); }
  EXPECT_EQ(read_file(folder.path() / ".lock"), "");
  EXPECT_TRUE(DirectoryLock::take(folder.path(), holder));
}

TEST(DirectoryLock, OfAnotherProcessEndsWhenThatIsKilled) {
  const TestFolder folder;
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t other = fork();
  if (other == 0) {
    std::string holder;
    const auto lock = DirectoryLock::take(folder.path(), holder);
    (void)!write(ready[1], lock ? "y" : "n", 1);
    for (;;) {
      pause();
    }
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  std::string holder;
  EXPECT_FALSE(DirectoryLock::take(folder.path(), holder));
  EXPECT_EQ(holder, own_name(other));
  kill(other, SIGKILL);
  ASSERT_EQ(waitpid(other, nullptr, 0), other);
  EXPECT_TRUE(DirectoryLock::take(folder.path(), holder));
  close(ready[0]);
  close(ready[1]);
}

TEST(DirectoryLock, MovesWithItsDirectory) {
  const TestFolder folder;
  std::string holder;
  const auto place = folder.path() / "run";
  std::filesystem::create_directories(place);
  const auto first = DirectoryLock::take(place, holder);
  std::filesystem::rename(place, folder.path() / "run.1");
  EXPECT_FALSE(DirectoryLock::take(folder.path() / "run.1", holder));
  std::filesystem::create_directories(place);
  EXPECT_TRUE(DirectoryLock::take(place, holder));
}

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
