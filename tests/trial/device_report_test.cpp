#include "trial/device_report.h"

#include "base/error.h"
#include "sample_trial.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::trial {
namespace {

using nlohmann::json;

std::string complaint_after(const std::function<void(json&)>& change) {
  json object = json::parse(to_json(sample_reply()));
  change(object);
  try {
    parse_trial_reply(object.dump(), "reply.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceJson, PartsAddUp) {
  DevicePhaseSums sums{1, 2, 3, 4, 5};
  sums += {10, 20, 30, 40, 50, 60};
  EXPECT_EQ(sums, (DevicePhaseSums{11, 22, 33, 44, 55, 60}));
  EXPECT_EQ(sums.total_ns(), 225);
}

TEST(DeviceJson, OnlyReplayedStepsHaveTheTimeOfAGraph) {
  TrialReply reply = sample_reply();
  EXPECT_EQ(to_json(reply).find("graph_ns"), std::string::npos);
  reply.slices.front().device = DevicePhaseSums{.idle_ns = 1, .transfer_ns = 2, .graph_ns = 40};
  reply.device_steps = {{.idle_ns = 1, .transfer_ns = 2, .graph_ns = 40},
                        {.idle_ns = 1, .forward_ns = 3, .backward_ns = 4, .optimizer_ns = 5}};
  EXPECT_EQ(parse_trial_reply(to_json(reply), "reply.json"), reply);
  EXPECT_EQ(
      complaint_after([](json& other) { other["device_steps"]["graph_ns"] = {-1}; }).substr(0, 34),
      "reply.json: device_steps.graph_ns ");
}

TEST(DeviceJson, ARepliesNumbersAreCheckedAsTheOthers) {
  EXPECT_EQ(complaint_after([](json& reply) { reply["device_steps"]["idle_ns"].push_back(1); }),
            "reply.json: device_steps.transfer_ns has another length than its neighbours");
  EXPECT_EQ(complaint_after([](json& reply) { reply["device_memory"].erase("retries"); }),
            "reply.json: device_memory.retries is missing");
  EXPECT_EQ(complaint_after([](json& reply) { reply["slices"][0]["device"]["idle_ns"] = -1; }),
            "reply.json: slices[0].device.idle_ns is out of range, 0 to 86400000000000");
  EXPECT_EQ(complaint_after([](json& reply) { reply["facts"]["gpu"]["name"] = 7; }),
            "reply.json: facts.gpu.name is not a text");
  EXPECT_EQ(complaint_after([](json& reply) { reply["profile"]["notes"] = "none"; }).substr(0, 25),
            "reply.json: profile.notes");
}

TEST(DeviceJson, AReplyOfTheCpuHasNothingOfIt) {
  TrialReply reply = sample_reply();
  reply.facts.gpu.reset();
  reply.facts.no_gpu.clear();
  reply.device_steps.clear();
  reply.device_memory.reset();
  for (Slice& slice : reply.slices) {
    slice.device.reset();
  }
  for (RankReport& rank : reply.ranks) {
    rank.gpu.clear();
  }
  const std::string text = to_json(reply);
  for (const char* const word : {"\"gpu\"", "no_gpu", "device_steps", "device_memory", "idle_ns"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(parse_trial_reply(text, "reply.json"), reply);
}

TEST(DeviceJson, ProfilesOfBeforeHadNoRowsOfAGpu) {
  json object = json::parse(to_json(sample_reply()));
  object["profile"].erase("device_events");
  object["profile"].erase("notes");
  TrialReply expected = sample_reply();
  expected.profile->device_events = 0;
  expected.profile->notes.clear();
  EXPECT_EQ(parse_trial_reply(object.dump(), "reply.json"), expected);
}

TEST(DeviceJson, MoreStepsThanAReplyMayHaveAreLeftOut) {
  TrialReply reply = sample_reply();
  reply.device_steps.resize(kMostDeviceSteps + 5, {1, 2, 3, 4, 5});
  EXPECT_EQ(parse_trial_reply(to_json(reply), "reply.json").device_steps.size(), kMostDeviceSteps);
}

TEST(PeakMemory, IsTheDevicesWhereThereIsOne) {
  TrialReply reply = sample_reply();
  EXPECT_EQ(peak_memory_bytes(reply), 2);
  reply.device_memory.reset();
  EXPECT_EQ(peak_memory_bytes(reply), 1 << 30);
}

// The host's steps are kernel launches; only whole windows end with a synchronisation.
TEST(Dilation, OnAGpuComparesWholeWindows) {
  TrialReply reply = sample_reply();
  reply.facts.device = "cuda";
  reply.slices.resize(1);
  reply.slices[0].wall_ns = 200;  // of two steps
  reply.profile->step_ns = {10, 10, 310};
  EXPECT_DOUBLE_EQ(profiler_dilation(reply).value_or(0), 1.1);
  reply.slices.clear();
  EXPECT_FALSE(profiler_dilation(reply));
}

}  // namespace
}  // namespace tune::trial
