#include "sample_scenario.h"
#include "scenario/objective.h"
#include "scenario/scenario.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

namespace tune::scenario {
namespace {

TEST(ReadScenario, FillsInWhatIsNotWritten) {
  const Scenario scenario = read_scenario(sample(), "sample.yaml");
  EXPECT_EQ(scenario.name, "sample");
  EXPECT_EQ(scenario.workload.model, "resnet18");
  EXPECT_EQ(scenario.workload.task, "train");
  EXPECT_EQ(scenario.workload.image_size, 224);
  EXPECT_EQ(scenario.data.profile, "imagenet");
  EXPECT_EQ(scenario.data.samples, 2000);
  trial::KnobSettings expected = trial::default_settings();
  expected["batch_size"] = std::int64_t{32};
  EXPECT_EQ(scenario.baseline, expected);
  EXPECT_EQ(scenario.rounds, 3);
  EXPECT_FALSE(scenario.confirm_rounds);
  EXPECT_FALSE(scenario.budget_ns.has_value());
  EXPECT_EQ(scenario.sha256.size(), 64U);
  EXPECT_TRUE(scenario.file.is_absolute());
}

TEST(ReadScenario, KeepsTheOrderOfTheGrid) {
  const Scenario scenario = read_scenario(sample(), "sample.yaml");
  ASSERT_EQ(scenario.grid.size(), 2U);
  EXPECT_EQ(scenario.grid[0].first, "num_workers");
  EXPECT_EQ(scenario.grid[1].first, "amp");
  EXPECT_EQ(scenario.grid[1].second[1], trial::KnobValue(std::string("bf16")));
}

TEST(ReadScenario, ReadsUnits) {
  const Scenario scenario = read_scenario(
      sample("measure: {rounds: 3}\nsearch: {strategy: grid}",
             "measure: {warmup: 500ms, slices: 2, slice: 1.5s, slice_steps: 7, trial_timeout: 2m}\n"
             "search: {budget: 15m, confirm_rounds: 3, seed: 9}"),
      "sample.yaml");
  EXPECT_EQ(scenario.measure.warmup_ns, 500'000'000);
  EXPECT_EQ(scenario.measure.warmup_steps, 3);
  EXPECT_EQ(scenario.measure.slices, 2);
  EXPECT_EQ(scenario.measure.slice_ns, 1'500'000'000);
  EXPECT_EQ(scenario.measure.slice_steps, 7);
  EXPECT_EQ(scenario.trial_timeout_ns, 120'000'000'000);
  EXPECT_EQ(scenario.budget_ns, 900'000'000'000);
  EXPECT_EQ(scenario.confirm_rounds, 3);
  EXPECT_EQ(scenario.seed, 9U);
}

TEST(ReadScenario, AWarmupInStepsHasNoLeastTime) {
  const Scenario scenario = read_scenario(sample("{rounds: 3}", "{warmup: 7}"), "sample.yaml");
  EXPECT_EQ(scenario.measure.warmup_steps, 7);
  EXPECT_EQ(scenario.measure.warmup_ns, 0);
}

TEST(ReadScenario, PathsAreRelativeToTheFile) {
  const Scenario scenario =
      read_scenario(sample("{source: generated-jpeg}",
                           "{source: image-folder, path: ../images, max_error_ratio: 1%}"),
                    "/some/where/sample.yaml");
  EXPECT_EQ(scenario.data.path, "/some/images");
  EXPECT_DOUBLE_EQ(scenario.data.max_error_ratio, 0.01);
}

TEST(ReadScenario, NotesWhatIsValidAndHasNoEffect) {
  const Scenario scenario =
      read_scenario(sample() +
                        "profile: {activities: [cpu], active: 5}\n"
                        "rules: {low-occupancy: off}\n"
                        "gate: {metrics: [throughput], accepted: [{row: epoch_time, max: 6%,\n"
                        "  until: 2027-01-31, reason: x}]}\n"
                        "objective: {maximize: throughput}\n",
                    "sample.yaml");
  EXPECT_EQ(scenario.notes,
            (std::vector<std::string>{
                "`gate.accepted:` has 'epoch_time', which `gate.metrics:` does not gate"}));
}

TEST(ReadScenario, ReadsConstraintsInBaseUnitsAndTheObjective) {
  const Scenario scenario =
      read_scenario(sample() +
                        "constraints: {peak_memory_bytes: {max: 2GiB}, epoch_time: {max: 90s},\n"
                        "  peak_memory_ratio: {max: 90%}, throughput: {min: 50}}\n"
                        "objective: {minimize: peak_memory_bytes}\n",
                    "sample.yaml");
  ASSERT_EQ(scenario.constraints.size(), 4U);
  EXPECT_DOUBLE_EQ(*scenario.constraints[0].max, 2147483648.0);
  EXPECT_EQ(scenario.constraints[0].max_text, "2GiB");
  EXPECT_DOUBLE_EQ(*scenario.constraints[1].max, 90);
  EXPECT_DOUBLE_EQ(*scenario.constraints[2].max, 0.9);
  EXPECT_DOUBLE_EQ(*scenario.constraints[3].min, 50);
  EXPECT_EQ(scenario.objective.metric, "peak_memory_bytes");
  EXPECT_TRUE(scenario.objective.is_minimized);
}

TEST(ReadScenario, ReadsWhatEnergyAndAnHourCost) {
  const Scenario scenario = read_scenario(sample() +
                                              "constraints: {energy_per_sample: {max: 0.5}}\n"
                                              "objective: {minimize: energy_per_sample}\n"
                                              "price_per_hour: 2\n",
                                          "sample.yaml");
  EXPECT_DOUBLE_EQ(*scenario.constraints.at(0).max, 0.5);
  EXPECT_EQ(scenario.objective.metric, "energy_per_sample");
  EXPECT_DOUBLE_EQ(scenario.price_per_hour, 2);
  EXPECT_DOUBLE_EQ(read_scenario(sample(), "sample.yaml").price_per_hour, 0);
  EXPECT_NE(complaints_about(sample() + "price_per_hour: 0\n"), "");
}

TEST(ReadScenario, MaximizesMfuOfAModelWhosePrecisionItKnows) {
  const std::string mfu = "objective: {maximize: mfu}\n";
  const Scenario scenario = read_scenario(sample() + mfu, "sample.yaml");
  EXPECT_EQ(scenario.objective.metric, "mfu");
  EXPECT_FALSE(scenario.objective.is_minimized);
  EXPECT_TRUE(scenario.profile.record_shapes) << "the report then has the number";
  EXPECT_FALSE(read_scenario(sample(), "sample.yaml").profile.record_shapes);
  EXPECT_FALSE(read_scenario(sample() + mfu + "profile: {record_shapes: false}\n", "sample.yaml")
                   .profile.record_shapes);
  const std::string script =
      "tune: 1\nname: sample\nworkload: {command: [python, train.py]}\nbaseline: {}\n" + mfu;
  EXPECT_NE(
      complaints_about(script).find(
          "'mfu' is not available with this workload (a script decides itself in which precision "
          "it computes) throughput?"),
      std::string::npos)
      << complaints_about(script);
  EXPECT_NE(why_no_mfu({.model = "my-model"}).find("a model of your own"), std::string::npos);
  EXPECT_NE(complaints_about(sample() + "objective: {minimize: mfu}\n"), "");
}

TEST(ReadScenario, ComplainsAboutConstraintsThatMeanNothing) {
  const auto complaint = [](const std::string& section) {
    try {
      read_scenario(sample() + section, "sample.yaml");
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(complaint("constraints: {peak_memory: {max: 2GiB}}\n").find("unknown metric"),
            std::string::npos);
  EXPECT_NE(complaint("constraints: {peak_memory: {max: 2GiB}}\n").find("peak_memory_bytes"),
            std::string::npos);
  EXPECT_NE(complaint("constraints: {epoch_time: {max: 90}}\n").find("the unit is mandatory"),
            std::string::npos);
  EXPECT_NE(complaint("constraints: {throughput: {min: 9, max: 1}}\n").find("min is above max"),
            std::string::npos);
}

TEST(ReadScenario, ReadsWhatTheGateIsToJudge) {
  const GateSection gate =
      read_scenario(sample() +
                        "gate: {metrics: [epoch_time], budget: 3%, min_effect: 0.5%, mode: warn,\n"
                        "  inconclusive: pass, looks: [12, 20], slices: 4, max_time: 10m}\n",
                    "sample.yaml")
          .gate;
  EXPECT_EQ(gate.metrics, std::vector<std::string>{"epoch_time"});
  EXPECT_DOUBLE_EQ(gate.budget_ratio.value_or(0), 0.03);
  EXPECT_DOUBLE_EQ(gate.min_effect_ratio.value_or(0), 0.005);
  EXPECT_EQ(gate.mode, "warn");
  EXPECT_EQ(gate.inconclusive, "pass");
  EXPECT_EQ(gate.looks, (std::vector<std::int64_t>{12, 20}));
  EXPECT_EQ(gate.slices, 4);
  EXPECT_EQ(gate.max_time_ns, 600'000'000'000);
}

TEST(ReadScenario, ABudgetOfTheGateMayBeOneForEachMetric) {
  const GateSection gate =
      read_scenario(sample() + "gate: {budget: {epoch_time: 3%, peak_memory_bytes: 10%}}\n",
                    "sample.yaml")
          .gate;
  EXPECT_EQ(gate.metric_budgets,
            (std::vector<std::pair<std::string, double>>{{"epoch_time", 0.03},
                                                         {"peak_memory_bytes", 0.1}}));
}

TEST(ReadScenario, LooksOfTheGateMustAscend) {
  EXPECT_THROW(read_scenario(sample() + "gate: {looks: [16, 10]}\n", "sample.yaml"), Error);
}

TEST(ReadScenario, AByteOrderMarkAndWindowsLineEndsAreFine) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : sample()) {
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  EXPECT_EQ(complaints_about(text), "");
}

TEST(ReadScenario, NamesTheNearestKeyKnobModelAndWord) {
  EXPECT_EQ(
      complaints_with("forbid: []", "forbidd: []"),
      "sample.yaml:9:1: unknown key 'forbidd' (keys of a scenario: baseline, constraints, data, "
      "description, flags, forbid, gate, grid, measure, name, objective, price_per_hour, profile, "
      "rules, search, stop, tune, workload) forbid?");
  EXPECT_EQ(complaints_with("num_workers:", "workers:"),
            "sample.yaml:7:3: unknown knob 'workers' (knobs are listed by 'tune list knobs') "
            "num_workers?");
  EXPECT_EQ(
      complaints_with("resnet18", "resnet81"),
      "sample.yaml:3:19: unknown model 'resnet81' (models are listed by 'tune list workloads') "
      "resnet18?");
  EXPECT_EQ(
      complaints_with("bf16", "bf61"),
      "sample.yaml:8:15: unknown value 'bf61' for 'grid.amp' (one of: none, bf16, fp16) bf16?");
  EXPECT_EQ(complaints_with("model: resnet18", "model: resnet18, pin_memory: true"),
            "sample.yaml:3:29: unknown key 'pin_memory' (it is a knob: write it into 'baseline' or "
            "'grid')");
}

TEST(ReadScenario, NamesWrongTypesAndRanges) {
  EXPECT_EQ(
      complaints_with("batch_size: 32", "batch_size: many"),
      "sample.yaml:5:24: 'baseline.batch_size' must be a whole number from 1 to 65536 (is 'many')");
  EXPECT_EQ(
      complaints_with("batch_size: 32", "batch_size: 0"),
      "sample.yaml:5:24: 'baseline.batch_size' must be a whole number from 1 to 65536 (is '0')");
  EXPECT_EQ(complaints_with("batch_size: 32", "batch_size: 32.0"),
            "sample.yaml:5:24: 'baseline.batch_size' must be a whole number from 1 to 65536 (is "
            "'32.0') 32?");
  EXPECT_EQ(complaints_with("batch_size: 32", "pin_memory: yes"),
            "sample.yaml:5:24: 'baseline.pin_memory' must be true or false (is 'yes') true?");
  EXPECT_EQ(complaints_with("batch_size: 32", "amp: true"),
            "sample.yaml:5:17: 'baseline.amp' must be one of: none, bf16, fp16 (is 'true')");
  EXPECT_EQ(complaints_with("num_workers: [0, 2]", "num_workers: 2"),
            "sample.yaml:7:16: 'grid.num_workers' must be a list (is '2')");
  EXPECT_EQ(
      complaints_with("rounds: 3", "trial_timeout: 120"),
      "sample.yaml:10:26: 'measure.trial_timeout' must be a time such as 120s (is '120') 120s?");
  EXPECT_EQ(complaints_with("tune: 1", "tune: 2"), "sample.yaml:1:7: 'tune' must be 1 (is '2')");
  EXPECT_EQ(complaints_with("{batch_size: 32}", "[1]"),
            "sample.yaml:5:11: 'baseline' must be a map of keys and values (is a list)");
  EXPECT_EQ(complaints_with("[0, 2]", "[0, 257]"),
            "sample.yaml:7:20: 'grid.num_workers' must be a whole number from 0 to 256 (is '257')");
}

TEST(ReadScenario, NamesWhatIsMissingOrEmpty) {
  EXPECT_EQ(complaints_with("name: sample\n", ""), "sample.yaml:1:1: the key 'name' is missing");
  EXPECT_EQ(
      complaints_with("{model: resnet18}", "{task: train}"),
      "sample.yaml:3:11: the key 'workload.model' is missing (or 'command', for your own script; "
      "'torchscript', 'package' or 'plugin', for a model of your own)");
  EXPECT_EQ(complaints_with("[0, 2]", "[]"),
            "sample.yaml:7:16: 'grid.num_workers' is empty (needs at least one value)");
  EXPECT_EQ(complaints_with("grid:\n  num_workers: [0, 2]\n  amp: [none, bf16]", "grid: {}"),
            "sample.yaml:6:7: 'grid' is empty (needs at least one key)");
  EXPECT_EQ(complaints_with("forbid: []", "forbid:"),
            "sample.yaml:9:1: 'forbid' must be a list (is empty)");
}

TEST(ReadScenario, ChecksMeaning) {
  EXPECT_EQ(complaints_with("name: sample", "name: other"),
            "sample.yaml:2:7: name 'other' does not equal the file name 'sample' name: sample?");
  EXPECT_EQ(complaints_with("[0, 2]", "[0, 2, 0]"),
            "sample.yaml:7:23: 'grid.num_workers' holds '0' twice");
  EXPECT_EQ(
      complaints_with("{source: generated-jpeg}", "{source: image-folder}"),
      "sample.yaml:4:7: source 'image-folder' needs 'path' (a folder with one sub-folder a class)");
  EXPECT_EQ(complaints_with("generated-jpeg", "synthetic, path: x"),
            "sample.yaml:4:33: source 'synthetic' takes no 'path' (it is for image-folder and "
            "token-bin)");
  EXPECT_EQ(complaints_with("generated-jpeg", "synthetic, profile: tiny"),
            "sample.yaml:4:36: source 'synthetic' takes no 'profile' (it is for generated-jpeg)");
  EXPECT_EQ(complaints_with("generated-jpeg", "tar"),
            "sample.yaml:4:16: source 'tar' is not available in this version");
  EXPECT_EQ(complaints_with("generated-jpeg", "generated-jpeg, profile: skew"),
            "sample.yaml:4:41: profile 'skew' is not available in this version (imagenet, tiny and "
            "faults "
            "are)");
  EXPECT_EQ(complaints_with("rounds: 3", "trial_timeout: 5s"),
            "sample.yaml:10:26: no trial can end within its 'trial_timeout' of 5s (warm-up and "
            "slices alone "
            "take 7s)");
  EXPECT_EQ(complaints_with("generated-jpeg", "synthetic, samples: 31, drop_last: true"),
            "sample.yaml:4:36: an epoch has no batch (31 samples, batches of 32, and 'drop_last')");
  EXPECT_EQ(
      complaints_with("batch_size: 32", "cpu_affinity: 0-"),
      "sample.yaml:5:26: 'baseline.cpu_affinity' must be a CPU list such as \"0-1,4\" (is '0-')");
}

TEST(ReadScenario, PointsIntoForbidExpressions) {
  EXPECT_EQ(complaints_with("forbid: []", "forbid: [\"ampp == 'fp16'\"]"),
            "sample.yaml:9:11: unknown name `ampp` (no metric, knob or machine fact) did you mean "
            "`amp`?");
  EXPECT_EQ(complaints_with("forbid: []", "forbid: [amp == 3 MiB]"),
            "sample.yaml:9:10: cannot compare text with bytes (`amp == 3 MiB`)");
  EXPECT_EQ(
      complaints_with("forbid: []", "forbid:\n  - amp = 'fp16'"),
      "sample.yaml:10:9: `=` is not an operator (nothing is assigned here) did you mean `==`?");
  EXPECT_EQ(complaints_with("forbid: []", "forbid: [cpus]"),
            "sample.yaml:9:10: a 'forbid' must be true or false (this is number)");
}

TEST(ReadScenario, NamesEverythingAtOnceInTheOrderOfTheFile) {
  EXPECT_EQ(
      complaints_about("tune: 1\n"
                       "name: wrong\n"
                       "workload: {model: resnet19}\n"
                       "data: {source: synthetic, path: x}\n"
                       "baseline: {worker: 3}\n"
                       "grid: {amp: [fp61]}\n"
                       "forbid: [zzz]\n"),
      "sample.yaml:2:7: name 'wrong' does not equal the file name 'sample' name: sample?\n"
      "sample.yaml:3:19: unknown model 'resnet19' (models are listed by 'tune list workloads') "
      "resnet18?\n"
      "sample.yaml:4:33: source 'synthetic' takes no 'path' (it is for image-folder and "
      "token-bin)\n"
      "sample.yaml:5:12: unknown knob 'worker' (knobs are listed by 'tune list knobs') "
      "num_workers?\n"
      "sample.yaml:6:14: unknown value 'fp61' for 'grid.amp' (one of: none, bf16, fp16) fp16?\n"
      "sample.yaml:7:10: unknown name `zzz` (no metric, knob or machine fact)");
}

}  // namespace
}  // namespace tune::scenario
