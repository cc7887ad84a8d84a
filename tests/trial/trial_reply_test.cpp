#include "trial/trial_reply.h"

#include "base/error.h"
#include "sample_trial.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace tune::trial {
namespace {

using nlohmann::json;

std::string complaint_about_text(const std::string& text) {
  try {
    parse_trial_reply(text, "reply.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string complaint_after(const std::function<void(json&)>& change) {
  json object = json::parse(to_json(sample_reply()));
  change(object);
  return complaint_about_text(object.dump());
}

TEST(PhaseSums, AddUpPartByPart) {
  PhaseSums sums = {1, 2, 3, 4, 5, 6};
  sums += {10, 20, 30, 40, 50, 60};
  EXPECT_EQ(sums, (PhaseSums{11, 22, 33, 44, 55, 66}));
}

TEST(TrialReply, EveryFieldSurvivesTheWayThroughTheFile) {
  TrialReply reply = sample_reply();
  EXPECT_EQ(parse_trial_reply(to_json(reply), "reply.json"), reply);
  reply.failure = Failure{"out-of-memory", "wanted 4 GiB"};
  reply.slices.clear();
  EXPECT_EQ(parse_trial_reply(to_json(reply), "reply.json"), reply);
}

TEST(TrialReply, OlderWorkersDoNotCountHowBatchesFlow) {
  json object = json::parse(to_json(sample_reply()));
  object["loader"].erase("flow");
  object["loader"].erase("crop_area_ratio");
  const TrialReply read = parse_trial_reply(object.dump(), "reply.json");
  EXPECT_FALSE(read.loader.flow.has_value());
  EXPECT_FALSE(read.loader.crop_area_ratio.has_value());
  EXPECT_EQ(complaint_after([](json& reply) { reply["loader"]["flow"]["empty_pulls"] = 10; }),
            "reply.json: loader.flow.empty_pulls is out of range, 0 to 9");
}

TEST(TrialReply, ALossThatIsNoNumberAnyMoreSurvives) {
  TrialReply reply = sample_reply();
  reply.losses = {{1, std::nan("")}, {2, INFINITY}, {3, -INFINITY}};
  const TrialReply read = parse_trial_reply(to_json(reply), "reply.json");
  EXPECT_TRUE(std::isnan(read.losses[0].value));
  EXPECT_EQ(read.losses[1].value, INFINITY);
  EXPECT_EQ(read.losses[2].value, -INFINITY);
}

TEST(TrialReply, AFileNameOfAnyBytesDoesNotSpoilIt) {
  TrialReply reply = sample_reply();
  reply.loader.broken[0].path = "bad\xff\xfename.jpg";
  const TrialReply read = parse_trial_reply(to_json(reply), "reply.json");
  EXPECT_NE(read.loader.broken[0].path.find("name.jpg"), std::string::npos);
}

TEST(TrialReply, ThePartsOfASliceMustSumToIt) {
  EXPECT_EQ(complaint_after([](json& reply) { reply["slices"][1]["phases"]["other_ns"] = 11; }),
            "reply.json: slices[1].phases sum to 301 ns, the slice lasted 300 ns");
}

TEST(TrialReply, SlicesFollowOneAnother) {
  EXPECT_EQ(complaint_after([](json& reply) { reply["slices"][1]["start_ns"] = 499; }),
            "reply.json: slices[1].start_ns overlaps the slice before it");
}

TEST(TrialReply, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(complaint_after([](json& reply) { reply["protocol"] = 7; }),
            "reply.json: protocol is 7, known is 1");
  EXPECT_EQ(complaint_after([](json& reply) { reply["slices"] = json::array(); }),
            "reply.json: slices is empty, but the trial did not fail");
  EXPECT_EQ(complaint_after([](json& reply) { reply["slices"][0].erase("steps"); }),
            "reply.json: slices[0].steps is missing");
  EXPECT_EQ(complaint_after([](json& reply) { reply["slices"][0]["wall_ns"] = -1; }),
            "reply.json: slices[0].wall_ns is out of range, 1 to 86400000000000");
  EXPECT_EQ(complaint_after([](json& reply) { reply["step_ns"][2] = "7"; }),
            "reply.json: step_ns is not a whole number");
  EXPECT_EQ(complaint_after([](json& reply) { reply["step_phases"]["other_ns"].push_back(1); }),
            "reply.json: step_phases.other_ns has another length than its neighbours");
  EXPECT_EQ(complaint_after([](json& reply) { reply["losses"][0]["value"] = nullptr; }),
            "reply.json: losses[0].value is not a number");
  EXPECT_EQ(complaint_after([](json& reply) { reply["peak_memory_bytes"] = UINT64_MAX; }),
            "reply.json: peak_memory_bytes is out of range, 0 to 1000000000000000");
  EXPECT_EQ(complaint_after([](json& reply) {
              reply["failure"] = {{"kind", "bored"}};
            }),
            "reply.json: failure.kind is 'bored', which means nothing here");
}

TEST(TrialReply, FieldsOfYoungerWorkersAreLeftAlone) {
  const TrialReply reply = sample_reply();
  json object = json::parse(to_json(reply));
  object["surprise"] = {{"depth", {1, 2, 3}}};
  object["facts"]["surprise"] = 1;
  object["loader"]["surprise"] = "x";
  object["loader"]["broken"][0]["surprise"] = nullptr;
  object["losses"][0]["surprise"] = true;
  object["step_phases"]["surprise_ns"] = {1};
  for (json& slice : object["slices"]) {
    slice["surprise"] = 1;
    slice["phases"]["surprise"] = "not a part of the sum";
    slice["disturbance"]["surprise"] = 1;
  }
  EXPECT_EQ(parse_trial_reply(object.dump(), "reply.json"), reply);
}

TEST(TrialReply, AComplaintShowsNothingThatATerminalObeys) {
  EXPECT_EQ(complaint_after([](json& reply) { reply["facts"]["device"] = "\x1b[2J"; }),
            "reply.json: facts.device is '?[2J', which means nothing here");
}

TEST(TrialReply, AFieldNamedTwiceIsRefused) {
  EXPECT_EQ(complaint_about_text(R"({"protocol":1,"protocol":1})"),
            "reply.json: names 'protocol' twice in one object");
}

TEST(TrialReply, ListsAndDepthAreBounded) {
  EXPECT_EQ(complaint_after([](json& reply) { reply["step_ns"] = std::vector<int>(100'001, 1); }),
            "reply.json: step_ns has more than 100000 entries");
  EXPECT_NE(complaint_about_text(std::string(1'000'000, '[')).find("too deep"), std::string::npos);
  std::string many = "[0";
  for (int i = 0; i < 1'100'000; ++i) {
    many += ",0";
  }
  EXPECT_NE(complaint_about_text(many + "]").find("too many"), std::string::npos);
}

TEST(TrialReply, ThroughputCountsEveryNanosecondOfTheWindow) {
  const auto rate = throughput(sample_reply());
  ASSERT_TRUE(rate.has_value());
  EXPECT_DOUBLE_EQ(*rate, 128 * 1e9 / 500);
  EXPECT_FALSE(throughput(TrialReply{}).has_value());
}

}  // namespace
}  // namespace tune::trial
