#include "worker/reference_work.h"

#include "small_trial.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::worker {

namespace {

TEST(Sentinel, DoesTheSameWorkEachTime) {
  const SentinelRun first = run_sentinel();
  const SentinelRun second = run_sentinel();
  EXPECT_EQ(first.checksum, second.checksum);
  EXPECT_NE(first.checksum, 0U);
}

// About 0.1 s on a quiet machine. This one may be busy, so the best of a few counts.
TEST(Sentinel, TakesLongEnoughToShowOnePercent) {
  std::int64_t best_ns = run_sentinel().wall_ns;
  for (int i = 0; i < 4; ++i) {
    best_ns = std::min(best_ns, run_sentinel().wall_ns);
  }
  RecordProperty("milliseconds", std::to_string(best_ns / 1'000'000));
  EXPECT_GT(best_ns, 20'000'000);
  EXPECT_LT(best_ns, 1'000'000'000);
}

TEST(Sentinel, IsTimedAroundTheSlicesWhenAskedForAndFollowedByAStep) {
  trial::TrialSpec spec = small_spec();
  EXPECT_FALSE(reply_of(spec).sentinel.has_value());
  spec.measure.sentinel = true;
  const trial::TrialReply reply = reply_of(spec);
  ASSERT_TRUE(reply.sentinel.has_value());
  EXPECT_GT(reply.sentinel->before_ns, 20'000'000);
  EXPECT_GT(reply.sentinel->after_ns, 20'000'000);
  EXPECT_EQ(reply.warmup_steps, spec.measure.warmup_steps + 1);
}

// Other work may make a step longer than the sentinel takes. A step that contained the sentinel
// would be longer every time.
TEST(Sentinel, IsInNoStep) {
  trial::TrialSpec spec = small_spec();
  spec.measure.sentinel = true;
  bool all_are_shorter = false;
  for (int i = 0; i < 4 && !all_are_shorter; ++i) {
    const trial::TrialReply reply = reply_of(spec);
    ASSERT_TRUE(reply.sentinel.has_value());
    all_are_shorter = *std::max_element(reply.step_ns.begin() + 1, reply.step_ns.end()) <
                      std::max(reply.sentinel->before_ns, reply.sentinel->after_ns);
  }
  EXPECT_TRUE(all_are_shorter);
}

TEST(Sentinel, WaitsForTheLoaderAndLetsItsStockFallAgain) {
  trial::TrialSpec spec = small_resnet_on_images();
  spec.knobs["num_workers"] = std::int64_t{1};
  spec.knobs["persistent_workers"] = true;
  spec.measure.sentinel = true;
  spec.measure.slice_steps = 4;
  const trial::TrialReply reply = reply_of(spec);
  ASSERT_TRUE(reply.sentinel.has_value());
  EXPECT_GE(reply.warmup_steps, spec.measure.warmup_steps + 1);
  EXPECT_LE(reply.warmup_steps, spec.measure.warmup_steps + 9);  // twice three batches, and one
}

}  // namespace

}  // namespace tune::worker
