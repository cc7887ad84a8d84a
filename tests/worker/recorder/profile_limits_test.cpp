#include "worker/recorder/profile_limits.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::worker {
namespace {

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
            "activities: the CPU's are not wanted, and the trial has no others");
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
  EXPECT_EQ(refused[0].reason, "it is about operators, and activities has no cpu");
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
