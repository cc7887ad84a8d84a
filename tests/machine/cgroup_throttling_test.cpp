#include "changing_root.h"
#include "machine/container.h"

namespace tune::machine {
namespace {

using CgroupThrottlingTest = ChangingRoot;

TEST_F(CgroupThrottlingTest, TakesTheInnermostGroupThatCounts) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\n");
  write("sys/fs/cgroup/a/cpu.stat", "usage_usec 5\nthrottled_usec 77\n");
  write("sys/fs/cgroup/cpu.stat", "usage_usec 5\nthrottled_usec 99\n");
  EXPECT_EQ(throttling_file(root_), root_ / "sys/fs/cgroup/a/cpu.stat");
}

TEST_F(CgroupThrottlingTest, KnowsVersionOne) {
  write("proc/self/cgroup", "4:cpu,cpuacct:/job\n");
  write("sys/fs/cgroup/cpu/job/cpu.stat", "nr_periods 1\nthrottled_time 123\n");
  EXPECT_EQ(throttling_file(root_), root_ / "sys/fs/cgroup/cpu/job/cpu.stat");
}

TEST_F(CgroupThrottlingTest, IsNowhereWithoutAQuota) {
  EXPECT_EQ(throttling_file(root_), std::filesystem::path());
}

TEST(CgroupThrottling, IsToldInNanoseconds) {
  EXPECT_EQ(parse_throttled_ns("nr_throttled 2\nthrottled_usec 77\n"), 77'000);
  EXPECT_EQ(parse_throttled_ns("throttled_time 123\n"), 123);
  EXPECT_FALSE(parse_throttled_ns("").has_value());
  EXPECT_FALSE(parse_throttled_ns("throttled_usec x\n").has_value());
}

}  // namespace
}  // namespace tune::machine
