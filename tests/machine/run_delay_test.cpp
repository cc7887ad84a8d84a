#include "machine/run_delay.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

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

  // Tests run beside one another, each in a folder of its own.
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

TEST_F(RunDelayTest, IsNothingWithoutAProcess) {
  RunDelayReader reader("77", root_);
  EXPECT_FALSE(reader.read().has_value());
}

}  // namespace
}  // namespace tune::machine
