#include "worker/data/sample_times.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

constexpr std::int64_t kMs = 1'000'000;

TEST(SampleTimes, KnowTheTimeThatFewSamplesExceed) {
  SampleTimes usual, slow;
  for (int i = 0; i < 980; ++i) {
    usual.add(kMs);
  }
  for (int i = 0; i < 20; ++i) {
    slow.add(50 * kMs);
  }
  const std::vector<const SampleTimes*> both = {&usual, &slow};
  EXPECT_NEAR(static_cast<double>(sample_quantile_ns(both, 0.5)), kMs, kMs / 16.0);
  EXPECT_NEAR(static_cast<double>(sample_quantile_ns(both, 0.99)), 50 * kMs, 50 * kMs / 16.0);
  EXPECT_EQ(usual.count(), 980);
  EXPECT_EQ(slow.total_ns(), 1'000 * kMs);
  EXPECT_EQ(sample_quantile_ns({}, 0.99), 0);
}

TEST(SampleTimes, TakeAnyTime) {
  SampleTimes times;
  for (const std::int64_t ns : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, INT64_MAX}) {
    times.add(ns > INT64_MAX / 2 ? INT64_MAX / 2 : ns);
  }
  EXPECT_LE(sample_quantile_ns({&times}, 0.5), 16);
  EXPECT_GT(sample_quantile_ns({&times}, 1), INT64_MAX / 4);
}

TEST(SampleTimes, CompareTheSlowestThreadWithTheOneInTheMiddle) {
  SampleTimes first, second, third, idle;
  EXPECT_EQ(slowest_thread_ratio({&first}), 1) << "nobody to compare with";
  first.add(kMs);
  second.add(kMs);
  third.add(4 * kMs);
  EXPECT_EQ(slowest_thread_ratio({&first, &idle}), 1);
  EXPECT_DOUBLE_EQ(slowest_thread_ratio({&third, &first, &idle, &second}), 4);
}

}  // namespace
}  // namespace tune::worker
