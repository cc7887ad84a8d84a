#include "scenario/read_script.h"

#include "base/error.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::scenario {
namespace {

Scenario read(const std::string& text) {
  return read_scenario(text, "/home/me/sample.yaml");
}

std::string complaints_about(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string text(const std::string& workload,
                 const std::string& rest = "grid: {num_workers: [0, 2]}") {
  return "tune: 1\nname: sample\nworkload: " + workload + "\n" + rest + "\n";
}

TEST(ScriptScenario, ACommandLineIsRunByShAndAListAsItStands) {
  const trial::Script line =
      read(text("{command: \"python train.py --data imgs\"}")).workload.script;
  EXPECT_EQ(line.command,
            (std::vector<std::string>{"/bin/sh", "-c", "python train.py --data imgs"}));
  const Scenario list =
      read(text("{command: [python, \"my train.py\"], cwd: sub, count: batches}"));
  EXPECT_EQ(list.workload.script.command, (std::vector<std::string>{"python", "my train.py"}));
  EXPECT_EQ(list.workload.script.folder, "/home/me/sub");
  EXPECT_EQ(list.workload.script.count, "batches");
  EXPECT_EQ(list.workload.model, "script:my train.py");
  EXPECT_EQ(list.data.source, "script");
}

TEST(ScriptScenario, WhatEndsATrialIsTheWindowUnlessTheFileSaysMore) {
  const std::string command = "{command: [python, t.py]}";
  const auto stop_of = [&](const std::string& stop) {
    return read(text(command, stop + "\ngrid: {num_workers: [0, 2]}")).workload.script;
  };
  EXPECT_EQ(stop_of("").stop_after, "window");
  EXPECT_EQ(stop_of("stop: {after: script}").stop_after, "script");
  const trial::Script at = stop_of("stop: {at: \"^Epoch [0-9]+ done\"}");
  EXPECT_EQ(at.stop_at, "^Epoch [0-9]+ done");
  EXPECT_EQ(at.stop_after, "window");
  EXPECT_NE(complaints_about(text(command, "stop: {at: \"Epoch (\"}\ngrid: {amp: [none]}"))
                .find("sample.yaml:4:12: 'stop.at' is not a regular expression (is 'Epoch (')"),
            std::string::npos);
  for (const char* const stop : {"stop: {after: line}", "stop: {}", "stop: {when: window}"}) {
    EXPECT_NE(complaints_about(text(command, std::string(stop) + "\ngrid: {amp: [none]}")), "");
  }
  EXPECT_NE(complaints_about(text("{model: mlp}", "stop: {after: window}\ngrid: {amp: [none]}"))
                .find("'stop' needs 'workload.command'"),
            std::string::npos);
}

TEST(ScriptScenario, AScriptIsNamedAfterItsFile) {
  EXPECT_EQ(read(text("{command: \"OMP_NUM_THREADS=2 torchrun --nproc 2 src/train.py -x\"}"))
                .workload.model,
            "script:train.py");
  EXPECT_EQ(read(text("{command: \"./run.sh\"}")).workload.model, "script:run.sh");
}

TEST(ReadScript, WhatItTakesToItsFirstStepIsPartOfEveryTrial) {
  const Scenario scenario =
      read(text("{command: [python, t.py], setup: 20s, observed: {amp: none}}"));
  EXPECT_EQ(start_up_ns(scenario.workload, false), 20'000'000'000);
  EXPECT_EQ(start_up_ns(scenario.workload, true), 20'000'000'000) << "with all that it does";
}

TEST(ScriptScenario, WhatWasSeenIsTheBaselineUnlessTheFileSaysMore) {
  const Scenario scenario =
      read(text("{command: [python, t.py], observed: {num_workers: 3, amp: bf16}}",
                "baseline: {num_workers: 1}\ngrid: {num_workers: [0, 3]}"));
  EXPECT_EQ(scenario.baseline.at("num_workers"), trial::KnobValue(std::int64_t{1}));
  EXPECT_EQ(scenario.baseline.at("amp"), trial::KnobValue(std::string("bf16")));
  EXPECT_EQ(scenario.baseline.at("pin_memory"), trial::KnobValue(false));
  const trial::KnobSettings changed =
      trial::changed_settings(scenario.workload.script, scenario.baseline);
  EXPECT_EQ(changed, (trial::KnobSettings{{"num_workers", std::int64_t{1}}}));
}

TEST(ScriptScenario, WhatDoesNotBelongToAScriptIsRefusedAtItsPlace) {
  EXPECT_EQ(complaints_about(text("{command: [python, t.py], lr: 0.1}")),
            "/home/me/sample.yaml:3:41: 'workload.lr' does not go with a command (the script says "
            "it)");
  EXPECT_EQ(complaints_about(text("{command: [python, t.py]}",
                                  "data: {source: synthetic}\ngrid: {num_workers: [0]}")),
            "/home/me/sample.yaml:4:16: 'data' does not go with 'workload.command' (the script "
            "reads its own data)");
  EXPECT_EQ(complaints_about(text("{command: [python, t.py]}", "grid: {decode: [full, roi]}")),
            "/home/me/sample.yaml:4:8: 'grid.decode' cannot be tried on a script (it belongs to "
            "tune's own loader)");
  EXPECT_EQ(complaints_about(text("{model: mlp, count: steps}",
                                  "data: {source: synthetic}\ngrid: {amp: [none]}")),
            "/home/me/sample.yaml:3:31: 'workload.count' needs 'workload.command'");
  EXPECT_EQ(
      complaints_about(text("{model: mlp}",
                            "data: {source: synthetic}\nbaseline: {preload: true}\ngrid: "
                            "{gc: [auto, freeze]}")),
      "/home/me/sample.yaml:5:12: 'baseline.preload' is a knob of scripts ('workload.command' "
      "names none)\n/home/me/sample.yaml:6:8: 'grid.gc' is a knob of scripts "
      "('workload.command' names none)");
  EXPECT_EQ(complaints_about(text("{command: []}")),
            "/home/me/sample.yaml:3:21: 'workload.command' is empty (needs at least one value)");
}

TEST(ScriptScenario, ABatchSizeNeedsAnOptionOfTheScript) {
  EXPECT_EQ(complaints_about(text("{command: [python, t.py]}", "grid: {batch_size: [32, 64]}")),
            "/home/me/sample.yaml:4:8: 'grid.batch_size' needs the script's own option (the "
            "learning rate and its schedule follow from it) flags: {batch_size: \"--batch-size "
            "{}\"}?");
  const Scenario scenario = read(text(
      "{command: [python, t.py]}", "flags: {batch_size: \"-b {}\"}\ngrid: {batch_size: [32, 64]}"));
  EXPECT_EQ(scenario.workload.script.flags.at("batch_size"), "-b {}");
}

TEST(ScriptScenario, WhatWasSeenIsAddedToTheText) {
  const trial::KnobSettings seen = {{"num_workers", std::int64_t{2}},
                                    {"sdpa", std::string("auto")}};
  const std::string block =
      "tune: 1\nname: sample\nworkload:\n  # mine\n  command: [python, t.py]\ngrid: {amp: "
      "[none]}\n";
  EXPECT_EQ(with_observed(block, seen, "cpu"),
            "tune: 1\nname: sample\nworkload:\n  # mine\n  observed: {num_workers: 2, sdpa: "
            "\"auto\"}\n  device: cpu\n  command: [python, t.py]\ngrid: {amp: [none]}\n");
  const Scenario flow =
      read(with_observed(text("{device: cuda, command: [python, t.py]}"), seen, "cpu"));
  EXPECT_EQ(flow.workload.script.observed, seen);
  EXPECT_EQ(flow.workload.device, "cuda");
}

}  // namespace
}  // namespace tune::scenario
