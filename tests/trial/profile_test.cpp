#include "base/error.h"
#include "sample_trial.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace tune::trial {
namespace {

using nlohmann::json;

std::string complaint_after(const std::function<void(json&)>& change) {
  json object = json::parse(to_json(sample_reply()));
  change(object["profile"]);
  try {
    parse_trial_reply(object.dump(), "reply.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ProfileOutcome, AReplyOfAWorkerThatKnowsNoneIsRead) {
  json object = json::parse(to_json(sample_reply()));
  object.erase("profile");
  EXPECT_FALSE(parse_trial_reply(object.dump(), "reply.json").profile);
  object["profile"] = nullptr;
  EXPECT_FALSE(parse_trial_reply(object.dump(), "reply.json").profile);
}

TEST(ProfileOutcome, HasEitherAFileOrAReason) {
  EXPECT_EQ(complaint_after([](json& profile) { profile["reason"] = "the disk is full"; }),
            "reply.json: profile.file and `reason` must exclude each other");
  EXPECT_EQ(complaint_after([](json& profile) { profile["file"] = ""; }),
            "reply.json: profile.file and `reason` must exclude each other");
  EXPECT_EQ(complaint_after([](json& profile) {
              profile["file"] = "";
              profile["reason"] = "the disk is full";
            }),
            "");
}

TEST(ProfileOutcome, ItsFileLiesInTheFolderOfTheTrial) {
  for (const char* const name : {"../../secret", "/etc/passwd", ".."}) {
    EXPECT_EQ(complaint_after([name](json& profile) { profile["file"] = name; }),
              "reply.json: profile.file is not a name in the trial's folder");
  }
}

TEST(ProfileOutcome, CannotEndBeforeItBegins) {
  EXPECT_NE(complaint_after([](json& profile) { profile["end_ns"] = 999; }), "");
  EXPECT_NE(complaint_after([](json& profile) { profile["step_ns"] = {-1}; }), "");
  EXPECT_NE(complaint_after([](json& profile) { profile["events"] = -1; }), "");
}

TEST(ProfilerDilation, IsTheMedianOfProfiledStepsOverThatOfMeasuredOnes) {
  TrialReply reply = sample_reply();                            // measured: 100, 100, 150
  EXPECT_DOUBLE_EQ(profiler_dilation(reply).value_or(0), 1.5);  // profiled: 100, 200
  reply.profile->step_ns = {110, 120, 900};
  EXPECT_DOUBLE_EQ(profiler_dilation(reply).value_or(0), 1.2);
}

TEST(ProfilerDilation, NeedsBoth) {
  TrialReply reply = sample_reply();
  reply.profile->step_ns.clear();
  EXPECT_FALSE(profiler_dilation(reply));
  reply = sample_reply();
  reply.step_phases.clear();
  EXPECT_FALSE(profiler_dilation(reply));
  reply = sample_reply();
  reply.profile.reset();
  EXPECT_FALSE(profiler_dilation(reply));
}

}  // namespace
}  // namespace tune::trial
