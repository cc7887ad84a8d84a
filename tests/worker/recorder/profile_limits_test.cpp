#include "worker/recorder/profile_limits.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::worker {
namespace {

constexpr std::int64_t kEmptyDisk = std::numeric_limits<std::int64_t>::max();

TEST(ProfileLimits, WhatCannotBeHadIsNamedAndTheRestIsRecorded) {
  trial::Profile profile;
  profile.with_stack = true;
  const auto refused = refused_options(profile, /*has_gpu=*/false);
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused[0].option, "cuda");
  EXPECT_EQ(refused[0].reason, "the trial runs on the CPU");
  EXPECT_EQ(refused[1].option, "with_stack");
  EXPECT_EQ(why_no_profile(profile, /*has_gpu=*/false, kEmptyDisk), "");
  profile.cuda = profile.with_stack = false;
  EXPECT_TRUE(refused_options(profile, /*has_gpu=*/false).empty());
}

TEST(ProfileLimits, WithoutTheCpuNothingIsLeft) {
  trial::Profile profile;
  profile.cpu = false;
  EXPECT_EQ(why_no_profile(profile, /*has_gpu=*/false, kEmptyDisk),
            "activities: the CPU's are not wanted, and the trial has no others");
}

TEST(ProfileLimits, OnAGpuItsRowsAreHadAloneToo) {
  trial::Profile profile;
  EXPECT_TRUE(refused_options(profile, /*has_gpu=*/true).empty());
  profile.cpu = false;
  EXPECT_EQ(why_no_profile(profile, /*has_gpu=*/true, kEmptyDisk), "");
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
