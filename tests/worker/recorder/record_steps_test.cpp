#include "worker/recorder/record_steps.h"

#include "worker/recorder/range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

namespace tune::worker {

namespace {

// A trial whose steps take no time, and its log.
class Steps {
 public:
  explicit Steps(const trial::Profile& profile)
      : profile_(profile), recording({.limit_bytes = profile.limit_bytes}) {}

  RecordedSteps run(const std::function<void(RecordedParts&)>& change = [](RecordedParts&) {}) {
    RecordedParts parts = {
        .step =
            [this] {
              was_on.push_back(Recording::active() != nullptr);
              was_heard.push_back(is_heard);
              for (int i = 0; i < rows_per_step; ++i) {
                const Range range("forward");
              }
              if (static_cast<int>(was_on.size()) == fails_at) {
                throw std::runtime_error("out of something");
              }
              return static_cast<std::int64_t>(was_on.size());
            },
        .listen = [this] { is_heard = true; },
        .ignore = [this] { is_heard = false; },
    };
    change(parts);
    return record_steps(profile_, recording, parts);
  }

  std::vector<std::string> names(const std::vector<TraceWindow>& windows) const {
    std::vector<std::string> names;
    for (const TraceRow& row : collect_rows(recording, windows).rows) {
      names.emplace_back(recording.names().text(row.name));
    }
    return names;
  }

 private:
  const trial::Profile& profile_;

 public:
  Recording recording;
  int rows_per_step = 0, fails_at = 0;
  bool is_heard = false;
  std::vector<bool> was_on, was_heard;
};

using Names = std::vector<std::string>;

TEST(RecordSteps, WaitsWarmsUpAndKeepsTheActiveSteps) {
  trial::Profile profile;
  profile.wait = 2;
  profile.warmup = 1;
  profile.active = 2;
  Steps steps(profile);
  const RecordedSteps found = steps.run();
  EXPECT_EQ(steps.was_on, (std::vector<bool>{false, false, true, true, true}));
  EXPECT_EQ(steps.was_heard, steps.was_on);
  EXPECT_FALSE(steps.is_heard);
  EXPECT_EQ(Recording::active(), nullptr);
  EXPECT_EQ(found.step_ns, (std::vector<std::int64_t>{4, 5}));
  ASSERT_EQ(found.windows.size(), 1U);
  EXPECT_EQ(steps.names(found.windows), (Names{"ProfilerStep#3", "ProfilerStep#4"}))
      << "numbers count from the first step, as in torch.profiler";
  EXPECT_FALSE(found.cap_reached);
}

TEST(RecordSteps, RepeatsItsCycleAndKeepsTheFormerOnes) {
  trial::Profile profile;
  profile.wait = 1;
  profile.warmup = 1;
  profile.active = 1;
  profile.repeat = 3;
  Steps steps(profile);
  const RecordedSteps found = steps.run();
  EXPECT_EQ(found.windows.size(), 3U);
  EXPECT_EQ(steps.names(found.windows),
            (Names{"ProfilerStep#2", "ProfilerStep#5", "ProfilerStep#8"}));
  EXPECT_EQ(steps.was_on.size(), 9U);
}

TEST(RecordSteps, WithoutWarmUpTheFirstStepCounts) {
  trial::Profile profile;
  profile.warmup = 0;
  profile.active = 1;
  Steps steps(profile);
  steps.rows_per_step = 1;
  EXPECT_EQ(steps.names(steps.run().windows), (Names{"ProfilerStep#0", "forward"}));
}

// The end of an epoch may have fewer batches: fewer kernels there are not an error of the
// recording.
TEST(RecordSteps, StepsAreComparedOnlyWhereEachDidAsMuch) {
  trial::Profile profile;
  profile.warmup = 2;
  profile.active = 3;
  for (const std::size_t odd : {1U, 2U, 4U, 7U}) {
    Steps steps(profile);
    const RecordedSteps found = steps.run([&](RecordedParts& parts) {
      parts.was_alike = [&steps, odd] { return steps.was_on.size() != odd; };
    });
    const bool is_kept = odd == 4;  // of the five that are run
    EXPECT_EQ(found.are_alike, !is_kept) << odd;
    EXPECT_EQ(comparable_edges(found).size(), is_kept ? 2U : 4U) << odd;
    EXPECT_EQ(comparable_edges(found).front(), found.edges.front()) << odd;
    EXPECT_EQ(comparable_edges(found).back(), found.edges.back()) << odd;
  }
  profile.repeat = 2;
  Steps steps(profile);
  const RecordedSteps found = steps.run();
  EXPECT_TRUE(found.are_alike);
  EXPECT_EQ(comparable_edges(found),
            (std::vector<std::int64_t>{found.edges.front(), found.edges.back()}));
}

// A device that is 100 ns behind at the end of a window.
TEST(RecordSteps, WithAGpuAWindowEndsWhenItsLastStepIsDone) {
  trial::Profile profile;
  profile.warmup = 1;
  profile.active = 2;
  profile.repeat = 2;
  Steps steps(profile);
  int warm = 0, finished = 0;
  const RecordedSteps found = steps.run([&](RecordedParts& parts) {
    parts.warmed_up = [&] { ++warm; };
    parts.finish = [&] {
      ++finished;
      return std::int64_t{100};
    };
  });
  EXPECT_EQ(warm, 2);
  EXPECT_EQ(finished, 2);
  EXPECT_EQ(found.step_ns, (std::vector<std::int64_t>{2, 103, 5, 106}));
  ASSERT_EQ(found.edges.size(), 6U) << "begins of four steps, ends of two windows";
  EXPECT_TRUE(std::is_sorted(found.edges.begin(), found.edges.end()));
  EXPECT_GE(found.edges[0], found.windows[0].start_ns);
  EXPECT_EQ(found.edges[2], found.windows[0].end_ns);
  EXPECT_EQ(found.edges[5], found.windows[1].end_ns);
}

TEST(RecordSteps, EndsWithTheStepThatReachesTheCap) {
  trial::Profile profile;
  profile.warmup = 0;
  profile.active = 100;
  profile.limit_bytes = 1 << 20;
  Steps steps(profile);
  steps.rows_per_step = 700;
  const RecordedSteps found = steps.run();
  EXPECT_TRUE(found.cap_reached);
  EXPECT_GE(found.step_ns.size(), 2U);
  EXPECT_LE(found.step_ns.size(), 4U) << "a row is taken for 512 bytes";
  EXPECT_EQ(found.windows.size(), 1U);
}

TEST(RecordSteps, ACapThatTheLastStepReachesCutNothing) {
  trial::Profile profile;
  profile.warmup = 0;
  profile.active = 1;
  profile.limit_bytes = 1;
  Steps steps(profile);
  EXPECT_FALSE(steps.run().cap_reached);
}

TEST(RecordSteps, StopsRecordingWhenAStepFails) {
  trial::Profile profile;
  Steps steps(profile);
  steps.fails_at = 5;
  EXPECT_THROW(steps.run(), std::runtime_error);
  EXPECT_FALSE(steps.is_heard);
  EXPECT_EQ(Recording::active(), nullptr);
}

constexpr std::int64_t kEmptyDisk = std::numeric_limits<std::int64_t>::max();

TEST(ProfileLimits, WhatCannotBeHadIsNamedAndTheRestIsRecorded) {
  trial::Profile profile;
  profile.with_stack = true;
  const auto refused = refused_options(profile, {});
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused[0].option, "cuda");
  EXPECT_EQ(refused[0].reason, "the trial runs on the CPU");
  EXPECT_EQ(refused[1].option, "with_stack");
  EXPECT_EQ(why_no_profile(profile, /*has_gpu=*/false, kEmptyDisk), "");
  profile.cuda = profile.with_stack = false;
  EXPECT_TRUE(refused_options(profile, {}).empty());
}

TEST(ProfileLimits, WithoutTheCpuNothingIsLeft) {
  trial::Profile profile;
  profile.cpu = false;
  EXPECT_EQ(why_no_profile(profile, /*has_gpu=*/false, kEmptyDisk),
            "activities: cpu is not requested, and the trial has no GPU");
}

TEST(ProfileLimits, OnAGpuItsRowsAreHadAloneToo) {
  trial::Profile profile;
  EXPECT_TRUE(refused_options(profile, {.has_gpu = true}).empty());
  profile.cpu = false;
  EXPECT_EQ(why_no_profile(profile, /*has_gpu=*/true, kEmptyDisk), "");
}

TEST(ProfileLimits, WithoutTheCpuWhatIsAboutOperatorsIsNamed) {
  trial::Profile profile;
  profile.cpu = false;
  profile.record_shapes = true;
  const auto refused = refused_options(profile, {.has_gpu = true});
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused[0].option, "record_shapes");
  EXPECT_EQ(refused[0].reason, "it needs operators, but activities has no cpu");
  EXPECT_EQ(refused[1].option, "profile_memory");
  profile.record_shapes = profile.profile_memory = false;
  EXPECT_TRUE(refused_options(profile, {.has_gpu = true}).empty());
}

TEST(ProfileLimits, ModulesOfTheUsersOwnModelAreNotKnown) {
  trial::Profile profile;
  profile.with_modules = true;
  EXPECT_TRUE(refused_options(profile, {.has_gpu = true}).empty());
  const auto refused = refused_options(profile, {.has_gpu = true, .has_own_model = true});
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].option, "with_modules");
  EXPECT_EQ(refused[0].reason, "tune does not know the modules of your own model");
}

TEST(ProfileLimits, ADiskThatMayBeTooSmallIsNotFilled) {
  trial::Profile profile;
  profile.limit_bytes = 400 << 20;
  EXPECT_EQ(why_no_profile(profile, /*has_gpu=*/false, 100 << 20), "");
  EXPECT_EQ(why_no_profile(profile, /*has_gpu=*/false, 10 << 20),
            "the disk has 10 MiB left, and the trace may need 100 MiB");
}

}  // namespace

}  // namespace tune::worker
