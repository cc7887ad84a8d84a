#include "worker/rank/rank_page.h"

#include "worker/rank/own_rank.h"
#include "worker/rank/rank_processes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;

fs::path folder_of_this_test() {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(testing::TempDir()) / "tune-rank-test" / test->name();
  fs::create_directories(folder);
  return folder;
}

StepRecord step_of(trial::PhaseSums phases, std::int64_t samples) {
  return {.phases = phases, .samples = samples};
}

TEST(RankPage, OnlyStepsOfTheWindowAreAddedUpWithoutWhatTheyWaited) {
  const fs::path folder = folder_of_this_test();
  RankPage first = RankPage::make(folder, 2);
  RankPage second = RankPage::open(folder, 2);
  OwnRank zero(first, 0), one(second, 1);
  const StepRecord step = step_of({.forward_ns = 10, .backward_ns = 30, .other_ns = 1}, 4);
  const auto both_take = [&](std::int64_t number) {
    zero.begin_step(number);
    one.begin_step(number);
    zero.end_step(number, step, {.forward_ns = 0, .backward_ns = 20});
    one.end_step(number, step, {.forward_ns = 5, .backward_ns = 2});
  };
  both_take(1);
  first.begin_window(1);
  both_take(2);
  both_take(3);
  first.end_window(3);
  EXPECT_FALSE(second.has_reported(1));
  both_take(4);
  const auto reports = zero.all_reports();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].steps, 2);
  EXPECT_EQ(reports[0].samples, 8);
  EXPECT_EQ(reports[0].own, (trial::PhaseSums{.forward_ns = 20, .backward_ns = 20, .other_ns = 2}));
  EXPECT_EQ(reports[0].communication_ns, 40);
  EXPECT_EQ(reports[1].rank, 1);
  EXPECT_EQ(reports[1].own, (trial::PhaseSums{.forward_ns = 10, .backward_ns = 56, .other_ns = 2}));
  EXPECT_EQ(reports[1].communication_ns, 14);
  EXPECT_EQ(reports[1].wall_ns(), reports[0].wall_ns());
}

TEST(RankPage, TheLastStepIsKnownToAll) {
  const fs::path folder = folder_of_this_test();
  RankPage first = RankPage::make(folder, 2);
  const RankPage second = RankPage::open(folder, 2);
  EXPECT_FALSE(second.is_last(1'000'000));
  first.end_after(7);
  EXPECT_FALSE(second.is_last(6));
  EXPECT_TRUE(second.is_last(7));
}

TEST(RankPage, SaysWhoIsWaitedFor) {
  RankPage page = RankPage::make(folder_of_this_test(), 3);
  page.wait_for_others(0, true);
  page.wait_for_others(2, true);
  EXPECT_EQ(page.describe(), "rank 1 is in its set-up, ranks 0 and 2 wait for it");
  page.begin_step(1, 12);
  page.wait_for_others(2, false);
  page.begin_step(2, 13);
  EXPECT_EQ(page.describe(), "rank 1 is in step 12, rank 2 is in step 13, rank 0 waits for it");
  page.wait_for_others(1, true);
  page.wait_for_others(2, true);
  EXPECT_EQ(page.describe(), "ranks 0, 1 and 2 wait for one another");
}

TEST(RankProcesses, EachRankHasTheGpuOfItsPlaceInTheList) {
  EXPECT_EQ(gpu_of_rank(nullptr, 3), "3");
  EXPECT_EQ(gpu_of_rank("2,GPU-6f,1", 0), "2");
  EXPECT_EQ(gpu_of_rank("2,GPU-6f,1", 1), "GPU-6f");
  EXPECT_EQ(gpu_of_rank("2,GPU-6f,1", 2), "1");
  EXPECT_EQ(gpu_of_rank("2", 1), "");
}

}  // namespace
}  // namespace tune::worker
