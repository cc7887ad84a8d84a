#include "trial/window_sums.h"

#include <gtest/gtest.h>

namespace tune::trial {
namespace {

Slice slice(std::int64_t wall_ns, std::int64_t steps) {
  Slice made{.wall_ns = wall_ns, .steps = steps, .samples = 8 * steps};
  made.phases.data_wait_ns = wall_ns / 4;
  made.disturbance.own_cpu_ns = 2 * wall_ns;
  made.disturbance.steal_ns = 10;
  return made;
}

TEST(WindowSums, AddsUpItsSlices) {
  const WindowSums window = window_sums({slice(4'000'000, 2), slice(8'000'000, 4)});
  EXPECT_EQ(window.samples, 48);
  EXPECT_EQ(window.data_wait_ns(), 3e6);
  EXPECT_EQ(window.steal_ns, 20);
  EXPECT_DOUBLE_EQ(window.per_step_s(window.wall_ns).value_or(0), 2e-3);
  EXPECT_DOUBLE_EQ(window.per_step_s(window.own_cpu_ns).value_or(0), 4e-3);
}

TEST(WindowSums, ASumOfWhichOnePartIsUnknownIsUnknown) {
  Slice silent = slice(4'000'000, 2);
  silent.disturbance.steal_ns = std::nullopt;
  EXPECT_EQ(window_sums({slice(4'000'000, 2), silent}).steal_ns, std::nullopt);
}

TEST(WindowSums, WithoutAStepThereIsNoTimePerStep) {
  EXPECT_EQ(window_sums({}).per_step_s(1), std::nullopt);
}

}  // namespace
}  // namespace tune::trial
