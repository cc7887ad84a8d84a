#include "advice/prediction_history.h"

#include "base/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace tune::advice {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json recommendation(const std::string& rule, const std::string& model = "amdahl") {
  return {{"id", "R1"},
          {"rule", rule},
          {"predicted", {{"value", 0.2}, {"lower", 0.1}, {"upper", 0.3}, {"model", model}}},
          {"measured", {{"value", 0.15}, {"lower", 0.12}, {"upper", 0.18}, {"pairs", 6}}},
          {"verdict", "CONFIRMED"}};
}

json result(const std::vector<json>& recommendations,
            const std::string& started = "2026-01-02T00:00:00Z") {
  return {{"schema", "tune-result/1"},
          {"kind", "run"},
          {"recommendations", recommendations},
          {"recommendations_reason", nullptr},
          {"provenance", {{"started", started}}}};
}

class PredictionHistoryTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& run, const std::string& text, const char* file = "result.json") {
    fs::create_directories(folder_ / run);
    std::ofstream(folder_ / run / file) << text;
  }

  static std::string complaint(const json& document) {
    try {
      read_predictions(document.dump(), "run");
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  const fs::path folder_ = fs::path(testing::TempDir()) /
                           (std::string("tune-history-") +
                            testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(PredictionHistoryTest, ReadsWhatWasPredictedAndMeasured) {
  json unmeasured = recommendation("b");
  unmeasured["measured"] = nullptr;
  json unknown = recommendation("c");
  unknown["predicted"]["lower"] = nullptr;
  unknown["predicted"]["upper"] = nullptr;
  const auto recorded = read_predictions(
      result({recommendation("a"), unmeasured, unknown, recommendation("d", "measured")}).dump(),
      "runs/x");
  EXPECT_TRUE(recorded.is_run);
  EXPECT_EQ(recorded.started_utc, "2026-01-02T00:00:00Z");
  ASSERT_EQ(recorded.predictions.size(), 1U);
  const JudgedPrediction& first = recorded.predictions[0];
  EXPECT_EQ(first.rule, "a");
  EXPECT_EQ(first.run, "runs/x");
  EXPECT_EQ(first.lower, 0.1);
  EXPECT_EQ(first.upper, 0.3);
  EXPECT_EQ(first.measured.value, 0.15);
  EXPECT_EQ(first.measured.pairs, 6);
  EXPECT_EQ(first.measured.verdict, MeasuredGain::Verdict::confirmed);
  EXPECT_TRUE(first.is_in_range());
}

TEST_F(PredictionHistoryTest, RefusesWhatItCannotTrust) {
  EXPECT_EQ(complaint("no object"), "run: result.json is from another version (no schema)");
  json old = result({});
  old["schema"] = "tune-result/0";
  EXPECT_EQ(complaint(old), "run: result.json is from another version (tune-result/0)");
  json unasked = result({});
  unasked["recommendations_reason"] = "no rule was asked";
  EXPECT_EQ(complaint(unasked), "run: asked no rules (it is older than they are) tune report run?");
  for (const char* const pointer : {"/measured/value", "/measured/pairs", "/predicted/lower"}) {
    for (const json& value : {json("much"), json(1e300), json(json::array()), json(nullptr)}) {
      json bad = recommendation("a");
      bad[json::json_pointer(pointer)] = value;
      EXPECT_NE(complaint(result({bad})).find("run: result.json is damaged"), std::string::npos)
          << pointer << " " << value;
    }
  }
  json unsaid = recommendation("a");
  unsaid["verdict"] = "PERHAPS";
  EXPECT_NE(complaint(result({unsaid})), "");
  EXPECT_EQ(complaint(result({recommendation("a")})), "");
}

// No command that reads the run mends that nothing was measured.
TEST_F(PredictionHistoryTest, SaysOfARunWithoutItsBaselineThatNothingWasMeasured) {
  json run = result({});
  run["recommendations"] = nullptr;
  run["recommendations_reason"] = "no rule was asked";
  const auto cells = [](const json& throughput, const json& reason) {
    json cell = {{"id", "baseline"}};
    cell["throughput"] = throughput;
    cell["reason"] = reason;
    json list = json::array();
    list.push_back(cell);
    return list;
  };
  run["cells"] = cells(nullptr, "interrupted");
  EXPECT_EQ(complaint(run),
            "run: nothing was measured (no trial of the baseline completed: interrupted)");
  run["cells"] = cells(nullptr, nullptr);
  EXPECT_EQ(complaint(run), "run: nothing was measured (no trial of the baseline completed)");
  run["cells"] = cells(nullptr, std::string(10'000, 'x'));
  EXPECT_EQ(complaint(run), "run: nothing was measured (no trial of the baseline completed)");
  run["cells"] = cells(json{{"value", 58.3}}, nullptr);
  EXPECT_EQ(complaint(run), "run: asked no rules (it is older than they are) tune report run?");
}

TEST_F(PredictionHistoryTest, NamesAndSkipsRunsThatAreBadOrOld) {
  write("a", result({recommendation("x")}).dump());
  write("b", "{\"schema\": ");
  write("c", "{}");
  write("d", "", "ledger.jsonl");
  write("e", R"({"schema": "tune-result/1", "kind": "analyze"})");
  fs::create_directories(folder_ / "f");
  fs::create_directory_symlink("a", folder_ / "latest");
  const PredictionHistory history = read_prediction_history({folder_, folder_ / "a"});
  EXPECT_EQ(history.runs, std::vector<std::string>{(folder_ / "a").string()});
  EXPECT_EQ(history.predictions.size(), 1U);
  ASSERT_EQ(history.skipped.size(), 3U);
  EXPECT_EQ(history.skipped[0].run, (folder_ / "b").string());
  EXPECT_TRUE(history.skipped[0].reason.starts_with("result.json is damaged (no JSON)"));
  EXPECT_EQ(history.skipped[1].reason, "result.json is from another version (no schema)");
  EXPECT_TRUE(history.skipped[2].reason.starts_with("holds no result.json"));
  const PredictionHistory analysis = read_prediction_history({folder_ / "e"});
  ASSERT_EQ(analysis.skipped.size(), 1U);
  EXPECT_TRUE(analysis.skipped[0].reason.starts_with("is not a run"));
  EXPECT_THROW(read_prediction_history({folder_ / "nowhere"}), Error);
}

TEST_F(PredictionHistoryTest, OfARunKnowsThoseThatBeganBeforeIt) {
  write("a", result({recommendation("x")}, "2026-01-01T00:00:00Z").dump());
  write("b", result({recommendation("y")}, "2026-01-02T00:00:00Z").dump());
  write("c", result({recommendation("z")}, "2026-01-03T00:00:00Z").dump());
  write("d", "broken");
  const PredictionHistory history = earlier_predictions(folder_ / "b", "2026-01-02T00:00:00Z");
  EXPECT_EQ(history.runs, std::vector<std::string>{"a"});
  ASSERT_EQ(history.predictions.size(), 1U);
  EXPECT_EQ(history.predictions[0].rule, "x");
  ASSERT_EQ(history.skipped.size(), 1U);
  EXPECT_EQ(history.skipped[0].run, "d");
  EXPECT_TRUE(history.skipped[0].reason.ends_with("/d?")) << "a folder that the command finds";
  EXPECT_NE(history.skipped[0].reason.find("tune report /"), std::string::npos);
  EXPECT_TRUE(earlier_predictions("/nowhere/at/all", "2026-01-02T00:00:00Z").runs.empty());
}

}  // namespace
}  // namespace tune::advice
