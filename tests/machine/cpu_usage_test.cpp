#include "machine/cpu_usage.h"

#include "changing_root.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <unistd.h>

namespace tune::machine {

namespace {

using CpuTimesTest = ChangingRoot;

std::int64_t ticks(std::int64_t count) {
  return count * 1'000'000'000 / sysconf(_SC_CLK_TCK);
}

TEST_F(CpuTimesTest, TellsEachCpuOnItsOwn) {
  write("proc/stat",
        "cpu  99 99 99 99 99 99 99 99 99 99\n"
        "cpu0 10 2 30 500 7 1 3 4 5 0\n"
        "cpu3 1 0 1 9 0 0 0 0 0 0\n"
        "intr 12 3 4\nctxt 55\n");
  CpuTimesReader reader(root_);
  const auto& cpus = reader.read();
  ASSERT_EQ(cpus.size(), 2U);
  EXPECT_EQ(cpus[0].cpu, 0);
  EXPECT_EQ(cpus[0].system_ns, ticks(34));
  EXPECT_EQ(cpus[0].busy_ns, ticks(46)) << "guest time is part of user";
  EXPECT_EQ(cpus[0].io_wait_ns, ticks(7));
  EXPECT_EQ(cpus[0].steal_ns, ticks(4));
  EXPECT_EQ(cpus[1].cpu, 3);
  EXPECT_EQ(cpus[1].busy_ns, ticks(2));
  EXPECT_EQ(reader.problem(), "");
}

TEST_F(CpuTimesTest, LeavesOutLinesThatMakeNoSense) {
  write("proc/stat",
        "cpu0 1 2 3\n"
        "cpu1 1 2 3 x 5 6 7 8\n"
        "cpu2 1 2 3 -4 5 6 7 8\n"
        "cpu3 1 2 3 4 5 6 7 99999999999999999\n"
        "cpu-1 1 2 3 4 5 6 7 8\n"
        "cpu4 1 2 3 4 5 6 7 8");
  CpuTimesReader reader(root_);
  ASSERT_EQ(reader.read().size(), 1U);
  EXPECT_EQ(reader.read()[0].cpu, 4);
}

TEST_F(CpuTimesTest, NamesTheFileThatItCannotRead) {
  CpuTimesReader reader(root_);
  EXPECT_TRUE(reader.read().empty());
  EXPECT_NE(reader.problem().find("proc/stat: No such file"), std::string::npos);
}

TEST(CpuTimes, NeverRunBackwardsHere) {
  CpuTimesReader reader;
  const auto before = reader.read();
  const auto& after = reader.read();
  ASSERT_FALSE(before.empty());
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_GE(after[i].busy_ns, before[i].busy_ns);
  }
}

namespace fs = std::filesystem;

fs::path root(const char* name) {
  return fs::path(SOURCE_DIR) / "tests/machine" / name;
}

std::int64_t tick_ns() {
  return 1'000'000'000 / sysconf(_SC_CLK_TCK);
}

TEST(CpuUsage, CountsOnlyTheAskedCpusAndNeitherIdleNorGuestTime) {
  CpuUsageReader first({0}, root("root_v2"));
  const auto usage = first.read();
  ASSERT_TRUE(usage.has_value());
  EXPECT_EQ(usage->busy_ns, (10 + 1 + 20 + 2 + 3) * tick_ns());
  EXPECT_EQ(usage->steal_ns, 4 * tick_ns());
  CpuUsageReader both({2, 1}, root("root_v2"));
  ASSERT_TRUE(both.read().has_value());
  EXPECT_EQ(both.read()->busy_ns, (25 + 35) * tick_ns());
}

TEST(CpuUsage, IsUnknownWhenACpuOrTheFileIsMissing) {
  EXPECT_FALSE(CpuUsageReader({0, 9}, root("root_v2")).read().has_value());
  EXPECT_FALSE(CpuUsageReader({}, root("root_v2")).read().has_value());
  EXPECT_FALSE(CpuUsageReader({0}, "/no/such/root").read().has_value());
  EXPECT_FALSE(CpuUsageReader({0}, root("root_hostile")).read().has_value());
  EXPECT_FALSE(CpuUsageReader({1}, root("root_hostile")).read().has_value());
}

TEST(CpuUsage, WhatOthersTookIsNeverNegative) {
  const CpuUsage before{1000, 10};
  const CpuUsage after{5000, 30};
  EXPECT_EQ(other_cpu_ns(before, after, 1500), 2500);
  EXPECT_EQ(other_cpu_ns(before, after, 9000), 0);
  EXPECT_EQ(steal_ns(before, after), 20);
  EXPECT_FALSE(other_cpu_ns(std::nullopt, after, 0).has_value());
  EXPECT_FALSE(steal_ns(before, std::nullopt).has_value());
}

}  // namespace

}  // namespace tune::machine
