#include "machine/process_usage.h"

#include "base/clock.h"
#include "changing_root.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

class RunDelayTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(root_); }

  void thread(int process, int id, const std::string& schedstat) const {
    const fs::path folder = root_ / "proc" / std::to_string(process) / "task" / std::to_string(id);
    fs::create_directories(folder);
    std::ofstream(folder / "schedstat", std::ios::trunc) << schedstat;
  }

  // Tests run in parallel, each in its own folder.
  const fs::path root_ = fs::path(testing::TempDir()) /
                         (std::string("tune-run-delay-") +
                          testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(RunDelayTest, SumsAllThreadsAndTellsTheFirstApart) {
  thread(77, 77, "1000 300 4\n");
  thread(77, 78, "1000 500 6\n");
  RunDelayReader reader("77", root_);
  const auto first = reader.read();
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->delay_ns, 800);
  EXPECT_EQ(first->turns, 10);
  EXPECT_EQ(first->main_delay_ns, 300);
  thread(77, 77, "1000 310 5\n");
  EXPECT_EQ(reader.read()->main_delay_ns, 310);
}

TEST_F(RunDelayTest, CountsTheCpuTimeOfThreadsThatPinBatches) {
  const auto name = [&](int id, const char* comm) {
    std::ofstream(root_ / "proc/77/task" / std::to_string(id) / "comm", std::ios::trunc) << comm;
  };
  thread(77, 77, "1000 300 4\n");
  name(77, "python\n");
  thread(77, 78, "10 500 6\n");
  name(78, "python\n");
  RunDelayReader reader("77", root_);
  EXPECT_FALSE(reader.read()->pin_thread_cpu_ns.has_value());
  name(78, "pt_data_pin\n");
  thread(77, 78, "700 500 6\n");
  EXPECT_EQ(reader.read()->pin_thread_cpu_ns, 700) << "it named itself after its start";
  fs::remove_all(root_ / "proc/77/task/78");
  EXPECT_EQ(reader.read()->pin_thread_cpu_ns, 700) << "an epoch has ended";
  thread(77, 79, "50 0 1\n");
  name(79, "pt_data_pin\n");
  EXPECT_EQ(reader.read()->pin_thread_cpu_ns, 750);
}

TEST_F(RunDelayTest, IsNothingWithoutAProcess) {
  RunDelayReader reader("77", root_);
  EXPECT_FALSE(reader.read().has_value());
}

void burn(std::int64_t ns) {
  timespec now{};
  const auto cpu_ns = [&] {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
  };
  while (cpu_ns() < ns) {
  }
}

TEST(ProcessUsage, CountsTheCpuTimeOfAllThreadsAlsoOfThoseThatEnded) {
  ProcessUsageReader reader;
  const ProcessUsage before = reader.read();
  std::thread([] { burn(20'000'000); }).join();
  std::thread([] { burn(20'000'000); }).join();
  const ProcessUsage done = difference(before, reader.read());
  EXPECT_GE(done.cpu_ns, 40'000'000);
  EXPECT_LT(done.cpu_ns, 400'000'000);
}

TEST(ProcessUsage, CountsPageFaultsAndVoluntarySwitches) {
  ProcessUsageReader reader;
  const ProcessUsage before = reader.read();
  constexpr std::size_t kPages = 300;
  const std::size_t bytes = kPages * 4096;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < kPages; ++i) {
    static_cast<volatile char*>(memory)[i * 4096] = 1;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const ProcessUsage done = difference(before, reader.read());
  munmap(memory, bytes);
  EXPECT_GE(done.minor_faults, static_cast<std::int64_t>(kPages));
  EXPECT_GE(done.voluntary_switches, 1);
}

TEST(ProcessUsage, RunDelayNeverFallsWhenThreadsEnd) {
  ProcessUsageReader reader;
  std::int64_t last_ns = 0;
  for (int i = 0; i < 5; ++i) {
    std::thread one([] { burn(1'000'000); });
    std::thread two([] { burn(1'000'000); });
    const ProcessUsage during = reader.read();
    one.join();
    two.join();
    const ProcessUsage after = reader.read();
    if (!during.run_delay_ns || !after.run_delay_ns) {
      GTEST_SKIP() << "the kernel counts no run delay";
    }
    EXPECT_GE(*during.run_delay_ns, last_ns);
    EXPECT_GE(*after.run_delay_ns, *during.run_delay_ns);
    EXPECT_LE(*after.main_run_delay_ns, *after.run_delay_ns);
    last_ns = *after.run_delay_ns;
  }
}

TEST(ProcessUsage, WithoutProcOnlyTheRunDelayIsUnknown) {
  ProcessUsageReader reader("/no/such/root");
  const ProcessUsage usage = reader.read();
  EXPECT_FALSE(usage.run_delay_ns.has_value());
  EXPECT_GT(usage.cpu_ns, 0);
}

class ForeignProcessTest : public ChangingRoot {
 protected:
  // Fields 10, 12, 14, 15, 20 and 24 of proc(5) have distinct numbers.
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
  write("proc/42/io/is_a_folder", "");  // like one that may not be read
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
