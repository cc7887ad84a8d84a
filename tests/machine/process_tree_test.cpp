#include "machine/process_tree.h"

#include "changing_root.h"

#include <gtest/gtest.h>

#include <string>
#include <unistd.h>

namespace tune::machine {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

class ProcessTreeTest : public ChangingRoot {
 protected:
  void add_process(int process, int user_ticks, int pages, const std::string& children) const {
    const std::string id = std::to_string(process);
    write("proc/" + id + "/stat",
          id + " (python) S 1 1 1 0 -1 4194560 100 0 2 0 " + std::to_string(user_ticks) +
              " 0 0 0 20 0 3 0 100 9999999 " + std::to_string(pages) + " 184467 1 1\n");
    write("proc/" + id + "/task/" + id + "/children", children);
    write("proc/" + id + "/task/" + id + "/schedstat", "1000 50 2\n");
  }

  const std::int64_t tick_ns_ = kSecond / sysconf(_SC_CLK_TCK);
};

TEST_F(ProcessTreeTest, SumsAllThatDescendFromAProcess) {
  add_process(10, 1, 5, "11 ");
  add_process(11, 100, 300, "12 13 ");
  add_process(12, 40, 200, "");
  add_process(13, 60, 200, "");
  ProcessTreeReader reader(10, root_);
  const ForeignUsage usage = reader.read(kSecond);
  EXPECT_EQ(usage.user_ns, 201 * tick_ns_);
  EXPECT_EQ(usage.minor_faults, 400);
  EXPECT_EQ(usage.threads, 12);
  EXPECT_EQ(usage.resident_bytes, 300 * sysconf(_SC_PAGESIZE)) << "of the largest one";
  ASSERT_TRUE(usage.run_delay);
  EXPECT_EQ(usage.run_delay->delay_ns, 200);
  EXPECT_FALSE(usage.read_bytes) << "the first process has no io";
}

TEST_F(ProcessTreeTest, ProcessesComeAndGoAndTheSumNeverDecreases) {
  add_process(10, 1, 5, "11 ");
  add_process(11, 100, 300, "");
  ProcessTreeReader reader(10, root_);
  EXPECT_EQ(reader.read(kSecond).user_ns, 101 * tick_ns_);
  add_process(12, 7, 20, "");
  add_process(10, 1, 5, "11 12 ");
  EXPECT_EQ(reader.read(kSecond + 1).user_ns, 101 * tick_ns_) << "it looks once a second";
  EXPECT_EQ(reader.read(2 * kSecond).user_ns, 108 * tick_ns_);
  write("proc/11/stat", "");
  add_process(10, 2, 5, "12 ");
  EXPECT_EQ(reader.read(3 * kSecond).user_ns, 109 * tick_ns_);
  EXPECT_EQ(reader.read(4 * kSecond).threads, 6);
}

TEST_F(ProcessTreeTest, AProcessWithItselfAmongItsChildrenEndsTheLook) {
  add_process(10, 1, 5, "10 11 ");
  add_process(11, 2, 5, "10 ");
  EXPECT_EQ(ProcessTreeReader(10, root_).read(kSecond).user_ns, 3 * tick_ns_);
}

TEST_F(ProcessTreeTest, AFamilysTimeHasThatOfChildrenThatHaveEnded) {
  const auto add = [&](int process, const std::string& ticks, const std::string& children) {
    add_process(process, 0, 5, children);
    const std::string id = std::to_string(process);
    write("proc/" + id + "/stat",
          id + " (python) S 1 1 1 0 -1 4194560 100 0 2 0 " + ticks + " 20 0 3 0 100 9 9 9 1 1\n");
  };
  add(10, "1 2 3 4", "11 ");
  add(11, "100 200 300 400", "");
  EXPECT_EQ(family_cpu_ns(10, 11, root_), 1'010 * tick_ns_);
  EXPECT_EQ(family_cpu_ns(10, 10, root_), 1'010 * tick_ns_);
  EXPECT_FALSE(family_cpu_ns(10, 12, root_)) << "somebody else has started it";
}

TEST_F(ProcessTreeTest, FindsPythonsOfAnotherUserWhereNoneIsOurs) {
  const auto add =
      [&](int process, const std::string& command, int user, const std::string& children) {
        const std::string id = std::to_string(process);
        add_process(process, 0, 5, children);
        write("proc/" + id + "/cmdline", command);
        write("proc/" + id + "/status",
              "Name:\tx\nUid:\t7\t" + std::to_string(user) + "\t7\t7\nGid:\t1\t1\t1\t1\n");
      };
  add(10, "tune-script", 1000, "11 ");
  add(11, std::string("sudo\0-u\0nobody\0python", 21), 0, "12 ");
  add(12, std::string("/usr/bin/python3\0train.py", 25), 65534, "");
  EXPECT_EQ(other_user_of_pythons(10, 1000, root_), 65534);
  EXPECT_EQ(other_user_of_pythons(10, 65534, root_), std::nullopt);
  EXPECT_EQ(other_user_of_pythons(11, 1000, root_), 65534);
  EXPECT_EQ(other_user_of_pythons(12, 1000, root_), std::nullopt) << "no Python below it";
  add(11, std::string("python\0-m\0torch.distributed.run", 32), 1000, "12 ");
  EXPECT_EQ(other_user_of_pythons(10, 1000, root_), std::nullopt) << "one is ours";
}

TEST_F(ProcessTreeTest, SaysNothingWhereTheFirstProcessShowsNothing) {
  const ForeignUsage usage = ProcessTreeReader(10, root_).read(kSecond);
  EXPECT_FALSE(usage.user_ns || usage.threads || usage.run_delay);
}

}  // namespace

}  // namespace tune::machine
