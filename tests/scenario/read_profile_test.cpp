#include "base/error.h"
#include "sample_scenario.h"
#include "scenario/scenario.h"

#include <gtest/gtest.h>

namespace tune::scenario {
namespace {

trial::Profile profile_of(const std::string& section) {
  return read_scenario(sample() + section, "sample.yaml").profile;
}

std::string complaint_about(const std::string& section) {
  try {
    read_scenario(sample() + section, "sample.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadProfile, EveryWordOfItIsRead) {
  const trial::Profile profile = profile_of(
      "profile: {activities: [cpu], wait: 1, warmup: 2, active: 7, repeat: 4, record_shapes: "
      "true,\n"
      "  profile_memory: false, with_stack: false, with_flops: true, with_modules: true}\n");
  trial::Profile expected;
  expected.cuda = false;
  expected.wait = 1;
  expected.warmup = 2;
  expected.active = 7;
  expected.repeat = 4;
  expected.record_shapes = expected.with_flops = expected.with_modules = true;
  expected.profile_memory = false;
  EXPECT_EQ(profile, expected);
}

TEST(ReadProfile, WhatIsNotWrittenIsAsItsSchemaSays) {
  EXPECT_EQ(profile_of(""), trial::Profile());
  EXPECT_EQ(profile_of("profile: {}\n"), trial::Profile());
  const trial::Profile cuda = profile_of("profile: {activities: [cuda]}\n");
  EXPECT_FALSE(cuda.cpu);
  EXPECT_TRUE(cuda.cuda);
}

TEST(ReadProfile, WhatCannotBeHadIsRefusedAtItsPlace) {
  const std::string complaint = complaint_about("profile:\n  active: 3\n  with_stack: true\n");
  EXPECT_NE(complaint.find("sample.yaml:"), std::string::npos);
  EXPECT_NE(
      complaint.find(":15: 'with_stack' is not available (the worker is a C++ program, and has no "
                     "Python frames) with_stack: false?"),
      std::string::npos)
      << complaint;
}

TEST(ReadProfile, NamesWhatIsWrong) {
  EXPECT_NE(complaint_about("profile: {activities: [gpu]}\n").find("gpu"), std::string::npos);
  EXPECT_NE(complaint_about("profile: {active: 0}\n").find("active"), std::string::npos);
  EXPECT_NE(complaint_about("profile: {activ: 3}\n").find("active?"), std::string::npos);
  EXPECT_NE(complaint_about("profile: {activities: []}\n"), "");
  EXPECT_NE(complaint_about("profile: {record_shapes: maybe}\n"), "");
}

}  // namespace
}  // namespace tune::scenario
