#include "worker/script/script_facts.h"

#include "base/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <string>

namespace tune::script {
namespace {

using nlohmann::json;

json sample() {
  return json::parse(R"({
    "facts": 1, "how": "measured", "attached": "sitecustomize", "pid": 7, "rank": 0, "world": 1,
    "python": "3.11.7", "torch": "2.11.0", "argv": ["train.py"], "executable": "/venv/bin/python",
    "folder": "/home/me", "phases": [["warmup", 12]], "peak_memory_bytes": 1048576,
    "loaders": [{"place": {"file": "train.py", "line": 9, "function": "main", "range": [9, 9, 1, 5]},
      "library": null, "class": "DataLoader", "asked": {"batch_size": 16}, "batch_size": 16,
      "num_workers": 0, "dataset": "TensorDataset", "dataset_length": 3200, "iterable": false,
      "epoch_samples": null, "fetches_batches": true}],
    "places": {}, "applied": {"num_workers": 1, "pin_memory": false, "amp": "bf16"},
    "ignored": [{"name": "compile", "reason": "nothing in this script takes it"}],
    "resisted": [{"name": "intra_op_threads", "value": "2", "where": "train.py:5"}],
    "observed": {}, "arguments": null, "written": {}, "profile": null, "failure": null,
    "losses": [{"backward": 1, "value": 1.5}, {"backward": 2, "value": "nan"}], "problems": []})");
}

std::string complaint_after(const std::function<void(json&)>& change) {
  json facts = sample();
  change(facts);
  try {
    parse_script_facts(facts.dump(), "facts.0.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Cells with preload are planned where it is seen: not where the agent is sure to refuse it.
TEST(ScriptFacts, ADatasetThatGivesOnlyWholeBatchesCannotBePreloaded) {
  const auto refusal = [](const std::function<void(json&)>& change) {
    json text = sample();
    text["loaders"][0]["fetches_batches"] = false;
    change(text["loaders"][0]);
    const ScriptFacts facts = parse_script_facts(text.dump(), "facts.0.json");
    const std::string why = why_not_preloaded(&facts.loaders.front());
    EXPECT_EQ(settings_in_effect(facts, {}).contains("preload"), why.empty());
    return why;
  };
  EXPECT_EQ(refusal([](json&) {}), "");
  EXPECT_EQ(refusal([](json& loader) { loader["fetches_batches"] = true; }),
            "its dataset makes whole batches itself");
  EXPECT_EQ(refusal([](json& loader) { loader["batch_size"] = nullptr; }),
            "its dataset makes whole batches itself");
  EXPECT_EQ(refusal([](json& loader) { loader["iterable"] = true; }), "its dataset is a stream");
  EXPECT_EQ(refusal([](json& loader) { loader["dataset_length"] = nullptr; }),
            "its dataset has no length");
}

TEST(ScriptFacts, WhatTheAgentSawIsRead) {
  const ScriptFacts facts = parse_script_facts(sample().dump(), "facts.0.json");
  EXPECT_EQ(facts.how, "measured");
  EXPECT_EQ(facts.torch, "2.11.0");
  ASSERT_EQ(facts.loaders.size(), 1U);
  EXPECT_EQ(facts.loaders[0].place, (Place{"train.py", "main", 9}));
  EXPECT_EQ(facts.loaders[0].batch_size, 16);
  EXPECT_TRUE(facts.loaders[0].fetches_batches);
  EXPECT_EQ(trial::to_text(facts.applied), "amp=bf16 num_workers=1 pin_memory=false");
  ASSERT_EQ(facts.ignored.size(), 1U);
  EXPECT_EQ(facts.ignored[0].name, "compile");
  ASSERT_EQ(facts.resisted.size(), 1U);
  EXPECT_EQ(facts.resisted[0].where, "train.py:5");
  EXPECT_EQ(facts.losses[0].value, 1.5);
  EXPECT_TRUE(std::isnan(facts.losses[1].value));
  EXPECT_FALSE(facts.failure.has_value());
  EXPECT_FALSE(facts.gpu_parts.has_value());
}

TEST(ScriptFacts, PartsOfTheGpuAreRead) {
  json facts = sample();
  facts["gpu_parts"] = {{"steps", 3},
                        {"data_wait_ns", 10},
                        {"transfer_ns", 20},
                        {"forward_ns", 30},
                        {"backward_ns", 40},
                        {"optimizer_ns", 50},
                        {"other_ns", 60}};
  const ScriptFacts read = parse_script_facts(facts.dump(), "facts.0.json");
  ASSERT_TRUE(read.gpu_parts.has_value());
  EXPECT_EQ(read.gpu_parts->steps, 3);
  EXPECT_EQ(read.gpu_parts->phases,
            (trial::PhaseSums{.data_wait_ns = 10,
                              .transfer_ns = 20,
                              .forward_ns = 30,
                              .backward_ns = 40,
                              .optimizer_ns = 50,
                              .other_ns = 60}));
}

TEST(ScriptFacts, TheCollectorsTimeIsRead) {
  json facts = sample();
  facts["collector"] = {{"collections", 3}, {"took_ns", 20}, {"of_ns", 400}};
  const ScriptFacts read = parse_script_facts(facts.dump(), "facts.0.json");
  ASSERT_TRUE(read.collector.has_value());
  EXPECT_EQ(read.collector->took_ns, 20);
  facts["collector"]["took_ns"] = -1;
  EXPECT_THROW(parse_script_facts(facts.dump(), "facts.0.json"), Error);
}

TEST(ScriptFacts, WhatJpegsTakeIsRead) {
  json facts = sample();
  facts["jpegs"] = {
      {"images", 3}, {"took_ns", 20}, {"of_ns", 400}, {"pixels", 90}, {"kept_pixels", 9}};
  const ScriptFacts read = parse_script_facts(facts.dump(), "facts.0.json");
  ASSERT_TRUE(read.jpegs.has_value());
  EXPECT_EQ(read.jpegs->kept_pixels, 9);
  facts["jpegs"]["pixels"] = -1;
  EXPECT_THROW(parse_script_facts(facts.dump(), "facts.0.json"), Error);
}

TEST(ScriptFacts, WhetherTheScriptsProfilerRunsIsReadAndNothingElse) {
  json facts = sample();
  facts["profiled"] = {false, true};
  EXPECT_EQ(parse_script_facts(facts.dump(), "facts.0.json").profiled,
            (std::vector<bool>{false, true}));
  for (const json& wrong : {json(true), json({1, 0}), json(std::vector<bool>(100'000))}) {
    facts["profiled"] = wrong;
    EXPECT_THROW(parse_script_facts(facts.dump(), "facts.0.json"), Error)
        << wrong.dump().substr(0, 20);
  }
}

TEST(ScriptFacts, ALoaderOfALibraryHasThatPlace) {
  json facts = sample();
  facts["loaders"][0]["library"] = facts["loaders"][0]["place"];
  facts["loaders"][0]["place"] = nullptr;
  EXPECT_TRUE(parse_script_facts(facts.dump(), "facts.0.json").loaders[0].place.has_value());
  facts["loaders"][0]["library"] = nullptr;
  EXPECT_FALSE(parse_script_facts(facts.dump(), "facts.0.json").loaders[0].place.has_value());
}

TEST(ScriptFacts, TheScriptsOwnExceptionIsItsFailure) {
  json facts = sample();
  facts["failure"] = {{"kind", "out-of-memory"}, {"message", "wanted\n4 GiB"}};
  facts["torch"] = nullptr;
  const ScriptFacts read = parse_script_facts(facts.dump(), "facts.0.json");
  EXPECT_EQ(read.failure, (trial::Failure{"out-of-memory", "wanted\n4 GiB"}));
  EXPECT_EQ(read.torch, "");
}

TEST(ScriptFacts, WhatCannotBeIsRefusedByName) {
  EXPECT_NE(complaint_after([](json& facts) { facts["facts"] = 2; }).find("facts is out of range"),
            std::string::npos);
  EXPECT_NE(complaint_after([](json& facts) { facts["how"] = "?"; }).find("how"),
            std::string::npos);
  EXPECT_NE(complaint_after([](json& facts) { facts.erase("loaders"); }).find("loaders is missing"),
            std::string::npos);
  EXPECT_NE(complaint_after([](json& facts) {
              facts["loaders"][0]["batch_size"] = -1;
            }).find("loaders[0].batch_size is out of range"),
            std::string::npos);
  EXPECT_THROW(parse_script_facts("{\"facts\": 1", "facts.0.json"), Error);
}

}  // namespace
}  // namespace tune::script
