#include "machine/foreign_process.h"

#include "changing_root.h"

#include <unistd.h>

namespace tune::machine {
namespace {

class ForeignProcessTest : public ChangingRoot {
 protected:
  // Fields 10, 12, 14, 15, 20 and 24 of proc(5) have numbers of their own.
  void write_stat(const std::string& name, int user_ticks) const {
    write("proc/42/stat",
          "42 (" + name + ") S 1 42 42 0 -1 4194560 1000 0 20 0 " + std::to_string(user_ticks) +
              " 5 0 0 20 0 7 0 100 9999999 300 18446744073709551615 1 1\n");
  }
};

TEST_F(ForeignProcessTest, TellsWhatAnotherProcessDid) {
  write_stat("tune-worker", 25);
  write("proc/42/io", "rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 512\n");
  write("proc/42/task/42/schedstat", "100 2000 3\n");
  write("proc/42/task/43/schedstat", "100 500 4\n");
  ForeignProcessReader reader(42, root_);
  const ForeignUsage usage = reader.read();
  const std::int64_t tick_ns = 1'000'000'000 / sysconf(_SC_CLK_TCK);
  EXPECT_EQ(usage.minor_faults, 1000);
  EXPECT_EQ(usage.major_faults, 20);
  EXPECT_EQ(usage.user_ns, 25 * tick_ns);
  EXPECT_EQ(usage.system_ns, 5 * tick_ns);
  EXPECT_EQ(usage.threads, 7);
  EXPECT_EQ(usage.resident_bytes, 300 * sysconf(_SC_PAGESIZE));
  EXPECT_EQ(usage.read_bytes, 4096);
  EXPECT_EQ(usage.written_bytes, 512);
  ASSERT_TRUE(usage.run_delay.has_value());
  EXPECT_EQ(usage.run_delay->delay_ns, 2500);
  EXPECT_EQ(usage.run_delay->turns, 7);
  for (const std::string& problem :
       {reader.stat_problem(), reader.io_problem(), reader.delay_problem()}) {
    EXPECT_EQ(problem, "");
  }
}

TEST_F(ForeignProcessTest, WhatAThreadDidStaysWhenItEnds) {
  write("proc/42/task/42/schedstat", "100 2000 3\n");
  write("proc/42/task/43/schedstat", "100 500 4\n");
  RunDelayReader reader("42", root_);
  EXPECT_EQ(reader.read()->delay_ns, 2500);
  std::filesystem::remove_all(root_ / "proc/42/task/43");
  write("proc/42/task/42/schedstat", "100 2100 5\n");
  EXPECT_EQ(reader.read()->delay_ns, 2600);
  EXPECT_EQ(reader.read()->turns, 9);
}

TEST_F(ForeignProcessTest, ANameCannotForgeTheNumbers) {
  write_stat("a) R 1 (b", 25);
  EXPECT_EQ(ForeignProcessReader(42, root_).read().threads, 7);
}

TEST_F(ForeignProcessTest, EachFileIsMissingOnItsOwn) {
  write_stat("tune-worker", 1);
  write("proc/42/io/is_a_folder", "");  // as good as one that may not be read
  ForeignProcessReader reader(42, root_);
  const ForeignUsage usage = reader.read();
  EXPECT_EQ(usage.threads, 7);
  EXPECT_FALSE(usage.read_bytes.has_value());
  EXPECT_FALSE(usage.run_delay.has_value());
  EXPECT_NE(reader.io_problem().find("/42/io: Is a directory"), std::string::npos);
  EXPECT_NE(reader.delay_problem().find("no schedstat"), std::string::npos);
  EXPECT_EQ(reader.stat_problem(), "");
}

TEST_F(ForeignProcessTest, DamagedTextIsNoNumber) {
  for (const char* const text :
       {"", "42", "42 (x", "42 (x) S 1 2", "42 (x) S 1 2 3 4 5 6 -7 8 9"}) {
    write("proc/42/stat", text);
    const ForeignUsage usage = ForeignProcessReader(42, root_).read();
    EXPECT_FALSE(usage.minor_faults.has_value()) << text;
    EXPECT_FALSE(usage.user_ns.has_value()) << text;
    EXPECT_FALSE(usage.resident_bytes.has_value()) << text;
  }
}

TEST(ForeignProcess, ReadsThisOne) {
  ForeignProcessReader reader(getpid());
  const ForeignUsage usage = reader.read();
  EXPECT_GT(usage.resident_bytes.value_or(0), 0);
  EXPECT_GE(usage.threads.value_or(0), 1);
  EXPECT_GT(usage.minor_faults.value_or(0), 0);
}

}  // namespace
}  // namespace tune::machine
