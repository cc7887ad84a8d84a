#include "measure/gate/stored_baseline.h"

#include "base/file.h"
#include "measure/gate/fingerprint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

namespace tune::gate {
namespace {

Recording recording_of(double rate) {
  Recording recording;
  recording.utc = "2026-11-20T10:00:00Z";
  recording.run = "/runs/a";
  for (int i = 0; i < 3; ++i) {
    ProcessSummary process;
    process.values["throughput"] = rate * (1 + 0.001 * i);
    process.slices = {.clean = 5, .tainted = 3, .tainted_by_core = 2, .has_core_probes = true};
    recording.processes.push_back(process);
    recording.structures.push_back(trial::Structure{.operators = 61});
  }
  return recording;
}

StoredBaseline sample() {
  StoredBaseline baseline;
  baseline.name = "main";
  baseline.scenario = "mlp";
  baseline.setting = "batch_size=8";
  baseline.fingerprint.device = "cpu";
  baseline.fingerprint.cpu_model = "Some CPU";
  baseline.fingerprint.cpus = 2;
  baseline.fingerprint.torch_version = "2.11.0";
  baseline.fingerprint.scenario_sha256 = "ab";
  baseline.recordings = {recording_of(100), recording_of(100.5)};
  return baseline;
}

Policy one_metric() {
  Policy policy;
  policy.budgets = {{"throughput"}};
  return policy;
}

std::string refusal(const StoredBaseline& baseline, const Fingerprint& now) {
  try {
    usable_side(baseline, now, one_metric());
  } catch (const Incomparable& error) {
    return error.what();
  }
  return "";
}

TEST(StoredBaseline, SurvivesTheWayThroughTheFile) {
  const StoredBaseline baseline = sample();
  const StoredBaseline read = parse_baseline(to_json(baseline), "main.json");
  EXPECT_EQ(to_json(read), to_json(baseline));
  EXPECT_EQ(read.fingerprint, baseline.fingerprint);
  EXPECT_EQ(read.recordings[1].structures[0]->operators, 61);
  EXPECT_EQ(read.recordings[1].processes[0].slices.tainted_by_core, 2);
}

TEST(StoredBaseline, NonsenseIsIncomparable) {
  const std::string good = to_json(sample());
  std::string other_schema = good;
  other_schema.replace(other_schema.find("tune-baseline/1"), 15, "tune-baseline/2");
  std::string no_number = good;
  no_number.replace(no_number.find("100.0"), 5, "\"a\"");
  for (const std::string& text : {std::string(),
                                  good.substr(0, good.size() / 2),
                                  other_schema,
                                  no_number,
                                  std::string("[]")}) {
    EXPECT_THROW(parse_baseline(text, "main.json"), Incomparable) << text.substr(0, 80);
  }
}

TEST(StoredBaseline, IsReadFromAFileOfAnotherJob) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto file = folder / "tune-stored-baseline.json";
  write_file_synced(file, to_json(sample()));
  EXPECT_EQ(to_json(load_baseline_file(file)), to_json(sample()));
  write_file_synced(file, to_json(sample()).substr(0, 100));
  EXPECT_THROW(load_baseline_file(file), Incomparable);
  std::filesystem::remove(file);
  EXPECT_THROW(load_baseline_file(file), Incomparable);
  EXPECT_THROW(load_baseline_file(folder), Incomparable);
}

TEST(StoredBaseline, ComparesOnlyWithWhatItWasMeasuredOn) {
  const StoredBaseline baseline = sample();
  Fingerprint now = baseline.fingerprint;
  now.torch_version.clear();  // no worker has told yet
  EXPECT_EQ(refusal(baseline, now), "");
  const std::vector<std::pair<std::string, std::function<void(Fingerprint&)>>> changes = {
      {"CPU Some CPU", [](Fingerprint& print) { print.cpu_model = "Other"; }},
      {"CPUs 2", [](Fingerprint& print) { print.cpus = 4; }},
      {"variables", [](Fingerprint& print) { print.variables = {"OMP_NUM_THREADS=1"}; }},
      {"LibTorch 2.11.0", [](Fingerprint& print) { print.torch_version = "2.12.0"; }},
      {"scenario", [](Fingerprint& print) { print.scenario_sha256 = "cd"; }},
      {"data", [](Fingerprint& print) { print.data_sha256 = "ef"; }},
  };
  for (const auto& [word, change] : changes) {
    Fingerprint changed = baseline.fingerprint;
    change(changed);
    EXPECT_NE(refusal(baseline, changed).find(word), std::string::npos) << word;
  }
}

TEST(StoredBaseline, NeedsTwoRecordingsThatAgree) {
  StoredBaseline one = sample();
  one.recordings.pop_back();
  EXPECT_NE(refusal(one, one.fingerprint).find("one recording"), std::string::npos);
  StoredBaseline apart = sample();
  apart.recordings.back() = recording_of(103);
  EXPECT_NE(refusal(apart, apart.fingerprint).find("differ by more"), std::string::npos);
}

TEST(StoredBaseline, ItsRecordingsTakeTurns) {
  const StoredBaseline baseline = sample();
  const StoredSide side = usable_side(baseline, baseline.fingerprint, one_metric());
  ASSERT_EQ(side.processes.size(), 6U);
  EXPECT_DOUBLE_EQ(side.processes[0].values.at("throughput"), 100);
  EXPECT_DOUBLE_EQ(side.processes[1].values.at("throughput"), 100.5);
  EXPECT_NEAR(side.confounded_log, 0.005, 1e-4);
}

trial::OwnModel plugin(const std::string& sha256) {
  return {.kind = trial::OwnModel::Kind::plugin, .path = "/x/libmine.so", .sha256 = sha256};
}

TEST(StoredBaseline, AChangedModelIsToldAndCompares) {
  StoredBaseline baseline = sample();
  baseline.recordings[0].model_sha256 = baseline.recordings[1].model_sha256 = "aa";
  EXPECT_EQ(model_change(baseline, plugin("aa")), "");
  EXPECT_EQ(model_change(baseline, plugin("bb")),
            "the model file libmine.so changed since baseline main was recorded");
  baseline.recordings[1].model_sha256 = "bb";
  EXPECT_EQ(model_change(baseline, plugin("bb")),
            "the model file libmine.so changed between the last two recordings of baseline main");
  EXPECT_EQ(refusal(baseline, baseline.fingerprint), "");
}

TEST(StoredBaseline, OfTheModelOfAnOlderOneNobodyKnows) {
  const StoredBaseline older = parse_baseline(to_json(sample()), "main.json");
  EXPECT_EQ(to_json(older).find("model_sha256"), std::string::npos);
  EXPECT_EQ(model_change(older, plugin("bb")), "");
  StoredBaseline baseline = sample();
  baseline.recordings[1].model_sha256 = "aa";
  const StoredBaseline read = parse_baseline(to_json(baseline), "main.json");
  EXPECT_EQ(read.recordings[0].model_sha256, "");
  EXPECT_EQ(read.recordings[1].model_sha256, "aa");
  EXPECT_EQ(model_change(read, trial::OwnModel()), "") << "a model of the catalogue";
}

TEST(StoredBaseline, ANameIsAPlainWord) {
  EXPECT_EQ(baseline_file("/d", "main-2.0").string(), "/d/baselines/main-2.0.json");
  for (const char* name : {"", "../x", "a/b", ".hidden", "-x", "a b"}) {
    EXPECT_THROW(baseline_file("/d", name), Error) << name;
  }
}

TEST(DaysBetween, CountsWholeDays) {
  EXPECT_EQ(days_between("2026-10-01T00:00:00Z", "2026-11-21T12:00:00Z"), 51);
  EXPECT_FALSE(days_between("yesterday", "2026-11-21T12:00:00Z"));
}

}  // namespace
}  // namespace tune::gate
