#include "trial/trial_spec.h"

#include "base/error.h"
#include "sample_trial.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::trial {
namespace {

using nlohmann::json;

// What the parser says about the sample after a change.
std::string complaint_after(const std::function<void(json&)>& change) {
  json object = json::parse(to_json(sample_spec()));
  change(object);
  try {
    parse_trial_spec(object.dump(), "spec.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TrialSpec, EveryFieldSurvivesTheWayThroughTheFile) {
  const TrialSpec spec = sample_spec();
  const TrialSpec read = parse_trial_spec(to_json(spec), "spec.json");
  EXPECT_EQ(read.id, spec.id);
  EXPECT_EQ(read.cell, spec.cell);
  EXPECT_EQ(read.workload, spec.workload);
  EXPECT_EQ(read.data, spec.data);
  EXPECT_EQ(read.knobs, spec.knobs);
  EXPECT_EQ(read.measure, spec.measure);
  EXPECT_EQ(read.profile, spec.profile);
  EXPECT_EQ(read.timeout_ns, spec.timeout_ns);
  EXPECT_EQ(read.folder, spec.folder);
  EXPECT_EQ(to_json(read), to_json(spec));
}

TEST(TrialSpec, RefusesAnotherProtocol) {
  EXPECT_EQ(complaint_after([](json& spec) { spec["protocol"] = 2; }),
            "spec.json: protocol is 2, known is 1");
}

TEST(TrialSpec, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"].erase("lr"); }),
            "spec.json: workload.lr is missing");
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"]["lr"] = "fast"; }),
            "spec.json: workload.lr is not a number");
  EXPECT_EQ(complaint_after([](json& spec) { spec["measure"]["slices"] = 0; }),
            "spec.json: measure.slices is out of range, 1 to 1000");
  EXPECT_EQ(complaint_after([](json& spec) { spec["measure"]["slices"] = 1.5; }),
            "spec.json: measure.slices is not a whole number");
  EXPECT_EQ(complaint_after([](json& spec) { spec["data"]["on_error"] = "ignore"; }),
            "spec.json: data.on_error is 'ignore', which means nothing here");
  EXPECT_EQ(complaint_after([](json& spec) { spec["knobs"].erase("amp"); }),
            "spec.json: knobs.amp is missing");
  EXPECT_EQ(complaint_after([](json& spec) { spec["knobs"]["amp"] = 3; }),
            "spec.json: knobs.amp must be none, bf16 or fp16");
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"]["sead"] = 3; }),
            "spec.json: workload.sead is not a field of this protocol seed?");
  EXPECT_EQ(complaint_after([](json& spec) { spec["data"] = json::array(); }),
            "spec.json: data is not an object");
}

TEST(TrialSpec, SaysWhetherTheLoaderRunsAlone) {
  TrialSpec spec = sample_spec();
  spec.measure.loader_only = true;
  EXPECT_TRUE(parse_trial_spec(to_json(spec), "spec.json").measure.loader_only);
  EXPECT_EQ(complaint_after([](json& older) { older["measure"].erase("loader_only"); }), "");
}

TEST(TrialSpec, WhatCameLaterIsAsItWasBefore) {
  json object = json::parse(to_json(sample_spec()));
  object["workload"].erase("device");
  object["workload"].erase("params");
  for (const char* const knob : {"activation_checkpointing",
                                 "cuda_graphs",
                                 "device_slots",
                                 "devices",
                                 "flush_denormal",
                                 "fused",
                                 "gradient_accumulation",
                                 "sdpa",
                                 "tf32"}) {
    object["knobs"].erase(knob);
  }
  const TrialSpec read = parse_trial_spec(object.dump(), "spec.json");
  EXPECT_EQ(read.workload.device, "cpu") << "nothing else was available";
  EXPECT_EQ(read.knobs, sample_spec().knobs);
  EXPECT_TRUE(read.workload.params.empty());
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"]["device"] = "gpu"; }),
            "spec.json: workload.device is 'gpu', which means nothing here");
  EXPECT_EQ(complaint_after([](json& spec) { spec["knobs"]["device_slots"] = 9; }),
            "spec.json: knobs.device_slots must be a whole number from 1 to 8");
}

TEST(TrialSpec, ParamsAreNamesWithPlainValues) {
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"]["params"] = 3; }),
            "spec.json: workload.params is not an object of at most 64 values");
  EXPECT_EQ(complaint_after([](json& spec) {
              spec["workload"]["params"]["layers"] = {1, 2};
            }),
            "spec.json: workload.params.layers is not a knob's value");
  EXPECT_EQ(complaint_after([](json& spec) { spec["data"]["source"] = "tar"; }),
            "spec.json: data.source is 'tar', which means nothing here");
}

TEST(TrialSpec, AProfileIsLeftOutOrWhole) {
  TrialSpec spec = sample_spec();
  spec.profile.reset();
  EXPECT_FALSE(parse_trial_spec(to_json(spec), "spec.json").profile);
  EXPECT_EQ(complaint_after([](json& object) { object["profile"]["activities"] = {"gpu"}; }),
            "spec.json: profile.activities must be [cpu], [cuda] or [cpu, cuda]");
  EXPECT_EQ(complaint_after([](json& object) { object["profile"]["activities"] = json::array(); }),
            "spec.json: profile.activities must be [cpu], [cuda] or [cpu, cuda]");
  EXPECT_EQ(complaint_after([](json& object) { object["profile"]["active"] = 0; }),
            "spec.json: profile.active is out of range, 1 to 1000");
  EXPECT_EQ(complaint_after([](json& object) { object["profile"].erase("with_flops"); }),
            "spec.json: profile.with_flops is missing");
  EXPECT_EQ(complaint_after([](json& object) { object["profile"]["stacks"] = true; }),
            "spec.json: profile.stacks is not a field of this protocol");
}

TEST(TrialSpec, RefusesTextThatIsNoSpecAtAll) {
  for (const char* text : {"", "nonsense", "[]", "null", "{\"protocol\": 1", "{\"a\":1e999}"}) {
    EXPECT_THROW(parse_trial_spec(text, "spec.json"), Error) << text;
  }
}

TEST(TrialSpec, APathThatIsNotUtf8IsTheUsersErrorNotACrash) {
  TrialSpec spec = sample_spec();
  spec.data.path = "/data/\xff";
  EXPECT_THROW(to_json(spec), Error);
}

}  // namespace
}  // namespace tune::trial
