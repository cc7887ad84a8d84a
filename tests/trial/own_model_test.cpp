#include "trial/own_model.h"

#include "base/error.h"
#include "sample_trial.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace tune::trial {
namespace {

using nlohmann::json;

TrialSpec spec_with_plugin() {
  TrialSpec spec = sample_spec();
  spec.workload.own.kind = OwnModel::Kind::plugin;
  spec.knobs["plugin.width"] = std::int64_t{64};
  spec.knobs["plugin.activation"] = std::string("gelu");
  return spec;
}

std::string complaint_after(const std::function<void(json&)>& change) {
  json object = json::parse(to_json(spec_with_plugin()));
  change(object);
  try {
    parse_trial_spec(object.dump(), "spec.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OwnModel, KnobsOfAPluginTravelBesideThoseOfTheCatalogue) {
  const TrialSpec spec = spec_with_plugin();
  EXPECT_EQ(parse_trial_spec(to_json(spec), "spec.json").knobs, spec.knobs);
  const json object = json::parse(to_json(spec));
  EXPECT_EQ(object.at("plugin_knobs"), (json{{"plugin.width", 64}, {"plugin.activation", "gelu"}}));
  EXPECT_FALSE(object.at("knobs").contains("plugin.width"));
}

TEST(OwnModel, ASpecOfBeforeNamesAModelOfTheCatalogue) {
  json object = json::parse(to_json(sample_spec()));
  object.erase("plugin_knobs");
  object["workload"].erase("own");
  object["workload"].erase("params");
  const TrialSpec read = parse_trial_spec(object.dump(), "spec.json");
  EXPECT_FALSE(read.workload.own.exists());
  EXPECT_TRUE(read.workload.params.empty());
  EXPECT_TRUE(plugin_knobs(read.knobs).empty());
}

TEST(OwnModel, ASpecOfBeforeKnowsNoTokens) {
  json object = json::parse(to_json(sample_spec()));
  EXPECT_EQ(object.at("workload").at("own").at("input_type"), "int64");
  object["workload"]["own"].erase("input_type");
  EXPECT_FALSE(parse_trial_spec(object.dump(), "spec.json").workload.own.takes_tokens());
}

TEST(OwnModel, EachKindTravelsUnderItsKey) {
  for (const OwnModel::Kind kind :
       {OwnModel::Kind::torchscript, OwnModel::Kind::package, OwnModel::Kind::plugin}) {
    TrialSpec spec = sample_spec();
    spec.workload.own.kind = kind;
    const json object = json::parse(to_json(spec));
    EXPECT_EQ(object["workload"]["own"]["kind"], key_of(kind));
    EXPECT_EQ(parse_trial_spec(object.dump(), "spec.json").workload.own.kind, kind);
  }
  EXPECT_EQ(key_of(OwnModel::Kind::none), "");
}

TEST(OwnModel, NonsenseIsRefused) {
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"]["own"]["kind"] = "onnx"; }),
            "spec.json: workload.own.kind is 'onnx', which means nothing here");
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"]["own"]["input_type"] = "int8"; }),
            "spec.json: workload.own.input_type is 'int8', which means nothing here");
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"]["own"].erase("path"); }),
            "spec.json: workload.own.path is missing");
  EXPECT_EQ(complaint_after([](json& spec) { spec["plugin_knobs"]["width"] = 3; }),
            "spec.json: plugin_knobs contains what is not a knob of a plug-in");
  EXPECT_EQ(complaint_after([](json& spec) { spec["plugin_knobs"]["plugin.width"] = nullptr; }),
            "spec.json: plugin_knobs.plugin.width is not a knob's value");
  EXPECT_EQ(complaint_after([](json& spec) { spec["workload"]["params"] = 3; }),
            "spec.json: workload.params is not an object of at most 64 values");
}

TEST(OwnModel, WhatAPluginDeclaresIsAKnobOrTheReplyIsGarbled) {
  const auto complaint = [](const std::function<void(json&)>& change) {
    json reply = json::parse(to_json(sample_reply()));
    change(reply["own_knobs"][0]);
    try {
      parse_trial_reply(reply.dump(), "reply.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint([](json&) {}), "");
  EXPECT_EQ(complaint([](json& knob) { knob["name"] = "width"; }),
            "reply.json: own_knobs[0].name is not a name of a plug-in's knob");
  EXPECT_EQ(complaint([](json& knob) { knob["default"] = 0; }),
            "reply.json: own_knobs[0].default must be a whole number from 1 to 4096");
}

TEST(PluginKnob, HasTheNameThatExpressionsTake) {
  for (const char* const name : {"plugin.width", "plugin.a", "plugin.use_2d"}) {
    EXPECT_TRUE(is_plugin_knob(name)) << name;
  }
  for (const char* const name :
       {"plugin.", "plugin", "width", "plugin.Width", "plugin.2d", "plugin.a.b", "plugin.a-b"}) {
    EXPECT_FALSE(is_plugin_knob(name)) << name;
  }
}

TEST(PluginKnob, KeepsTheTypeOfTheBaseline) {
  EXPECT_EQ(type_complaint(true, false), "");
  EXPECT_EQ(type_complaint(true, std::int64_t{1}), "must be true or false, as in the baseline");
  EXPECT_EQ(type_complaint(std::int64_t{1}, std::string("one")),
            "must be a whole number, as in the baseline");
  EXPECT_EQ(type_complaint(std::string("one"), true), "must be a word, as in the baseline");
}

}  // namespace
}  // namespace tune::trial
