#include "machine/cpu_times.h"

#include "changing_root.h"

#include <algorithm>

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

}  // namespace
}  // namespace tune::machine
