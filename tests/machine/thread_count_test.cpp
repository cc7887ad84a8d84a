#include "machine/thread_count.h"

#include "changing_root.h"

#include <future>
#include <thread>

namespace tune::machine {
namespace {

using ThreadCountTest = ChangingRoot;

TEST_F(ThreadCountTest, IsReadFromTheStatusOfTheProcess) {
  write("proc/self/status", "Name:\tworker\nThreads:\t17\nSigQ:\t0/1\n");
  EXPECT_EQ(thread_count(root_), 17);
  write("proc/self/status", "Name:\tworker\nThreads:\tmany\n");
  EXPECT_FALSE(thread_count(root_).has_value());
  EXPECT_FALSE(thread_count("/no/such/root").has_value());
}

TEST(ThreadCount, GrowsWithAThread) {
  const auto before = thread_count();
  std::promise<void> end;
  std::thread thread([&] { end.get_future().wait(); });
  const auto after = thread_count();
  end.set_value();
  thread.join();
  ASSERT_TRUE(before && after);
  EXPECT_EQ(*after, *before + 1);
}

}  // namespace
}  // namespace tune::machine
