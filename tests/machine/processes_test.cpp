#include "machine/processes.h"

#include "changing_root.h"

namespace tune::machine {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

std::string stat_line(int process, const std::string& name, int user, int system, int started) {
  return std::to_string(process) + " (" + name + ") R 1 2 3 4 5 6 7 8 9 10 " +
         std::to_string(user) + " " + std::to_string(system) + " 0 0 20 0 4 0 " +
         std::to_string(started) + " 999 77\n";
}

class BusyProcessesTest : public ChangingRoot {
 protected:
  void write_stat(int process, const std::string& line) const {
    write("proc/" + std::to_string(process) + "/stat", line);
  }
};

TEST_F(BusyProcessesTest, ReadsNamesWithSpacesAndBrackets) {
  const std::int64_t tick_ns = kSecondNs / sysconf(_SC_CLK_TCK);
  write_stat(7, stat_line(7, "a) (b c", 30, 12, 500));
  write_stat(8, "8 (gone\n");
  write("proc/self/stat", stat_line(9, "link", 1, 1, 1));
  const auto times = read_process_times(root_);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times.at(7).name, "a) (b c");
  EXPECT_EQ(times.at(7).cpu_ns, 42 * tick_ns);
  EXPECT_EQ(times.at(7).started, 500);
}

TEST_F(BusyProcessesTest, NumbersWithoutEndDoNotOverflow) {
  write_stat(7,
             "7 (x) R 1 2 3 4 5 6 7 8 9 10 9223372036854775807 9223372036854775807 0 0 20 0 4 0 5 "
             "6 7\n");
  EXPECT_GT(read_process_times(root_).at(7).cpu_ns, 0);
}

TEST(Busiest, NamesWhoUsedCpusBetweenTwoReadings) {
  const std::map<int, ProcessTime> before = {{1, {"init", 1, 5 * kSecondNs}},
                                             {2, {"cc1plus", 2, 0}},
                                             {3, {"tune", 3, 0}},
                                             {4, {"old", 4, 9 * kSecondNs}}};
  const std::map<int, ProcessTime> after = {{1, {"init", 1, 5 * kSecondNs}},
                                            {2, {"cc1plus", 2, 2 * kSecondNs}},
                                            {3, {"tune", 3, 2 * kSecondNs}},
                                            {4, {"new", 40, kSecondNs / 2}},
                                            {5, {"ld", 50, kSecondNs}}};
  const auto busy = busiest(before, after, 2 * kSecondNs, 3, 2);
  ASSERT_EQ(busy.size(), 2U) << "at most two; not tune itself";
  EXPECT_EQ(busy[0].name, "cc1plus");
  EXPECT_DOUBLE_EQ(busy[0].cpus, 1);
  EXPECT_EQ(busy[1].name, "ld");
  EXPECT_DOUBLE_EQ(busy[1].cpus, 0.5);
  EXPECT_EQ(busiest(before, after, 2 * kSecondNs, 3, 9)[2].name, "new")
      << "another process with a reused id counts from its own start";
}

TEST(Busiest, TheRealProcessTableHasUsInIt) {
  EXPECT_EQ(read_process_times().count(getpid()), 1U);
}

}  // namespace

}  // namespace tune::machine
