#include "../advice/sample_findings.h"
#include "report/prediction_text.h"
#include "report/render_blocks.h"
#include "report/result_json.h"
#include "report/result_of.h"
#include "report/run_sections.h"
#include "sample_result.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace tune::report {
namespace {

using advice::JudgedPrediction;
using Verdict = advice::MeasuredGain::Verdict;

JudgedPrediction judged(double measured, Verdict verdict) {
  return {.run = "run",
          .recommendation = "R1",
          .rule = "wait",
          .model = "amdahl",
          .lower = 0.1,
          .upper = 0.25,
          .measured = {.value = measured,
                       .lower = measured - 0.01,
                       .upper = measured + 0.01,
                       .pairs = 6,
                       .verdict = verdict}};
}

result::PredictionQuality quality_of_all(const std::vector<JudgedPrediction>& predictions) {
  return quality_of(advice::PredictionHistory{.runs = {"run"}, .predictions = predictions});
}

Section section_of(const campaign::CampaignResult& result) {
  return run_predictions_section({result_of(result), &result});
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(QualityTable, HasCountsAloneBelowFivePredictions) {
  const Table few =
      quality_table(quality_of_all({judged(0.2, Verdict::confirmed), judged(0, Verdict::refuted)}));
  ASSERT_EQ(few.rows.size(), 2U);
  EXPECT_EQ(few.rows[0],
            (std::vector<std::string>{"wait", "2", "1", "1", "1", "-", "-", "-", "-"}));
  EXPECT_EQ(few.rows[1][0], "all");
  EXPECT_TRUE(quality_table({}).rows.empty());
}

TEST(QualityTable, HasRatesAndErrorsFromFiveOn) {
  std::vector<JudgedPrediction> five(4, judged(0.2, Verdict::confirmed));
  five.push_back(judged(0.075, Verdict::ambiguous));
  const Table table = quality_table(quality_of_all(five));
  // Errors -2.5 four times and +10: a mean of 0.
  EXPECT_EQ(table.rows[0],
            (std::vector<std::string>{"wait",
                                      "5",
                                      "4 (80.0 %)",
                                      "0",
                                      "4 (80.0 %)",
                                      "+0.0 points",
                                      "4.0 points",
                                      "2.5 points",
                                      "-"}));
}

TEST(JudgedTable, ShowsPromiseAndGainSideBySide) {
  const Table table = judged_table(quality_of_all({judged(0.2, Verdict::confirmed)}).predictions);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0],
            (std::vector<std::string>{"wait",
                                      "+10.0 to +25.0 %",
                                      "+20.0 %",
                                      "+19.0 % to +21.0 %",
                                      "-2.5 points",
                                      "CONFIRMED"}));
}

class PredictionReport : public testing::Test {
 protected:
  // A run whose one recommendation was measured, or not.
  static campaign::CampaignResult run(bool is_measured) {
    campaign::CampaignResult result = sample_result();
    campaign::RunDiagnosis found;
    const auto catalog = std::make_shared<const rule::Catalog>(advice::catalog_of({{"wait", ""}}));
    found.catalog = catalog;
    found.diagnosis = advice::diagnose(*catalog, advice::waiting(0.2));
    if (is_measured) {
      found.diagnosis.recommendations.at(0).measured = judged(0.2, Verdict::confirmed).measured;
    }
    result.diagnosis = std::move(found);
    return result;
  }
};

TEST_F(PredictionReport, IsPartOfEveryReport) {
  campaign::CampaignResult result = run(true);
  result.earlier = {.runs = {"before"},
                    .skipped = {{"old", "asked no rules"}},
                    .predictions = {judged(0, Verdict::refuted)}};
  const std::string text = to_markdown(section_of(result).blocks);
  EXPECT_TRUE(contains(text, "| wait | +11.1 to +25.0 % | +20.0 % |")) << text;
  EXPECT_TRUE(contains(text, "2 runs, 2 predictions that fresh pairs have judged, this one incl"))
      << text;
  EXPECT_TRUE(contains(text, "skipped old: asked no rules")) << text;
  EXPECT_TRUE(contains(to_markup(section_of(result)).finished(), "How good the predictions are"));
  const auto json = nlohmann::json::parse(to_result_json(result));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["prediction_quality"]["all"]["n"], 2);
  EXPECT_EQ(json["prediction_quality"]["this_run"]["confirmed"], 1);
  EXPECT_EQ(json["prediction_quality"]["rules"][0]["hit_rate"], 0.5);
  EXPECT_EQ(json["prediction_quality"]["predictions"].size(), 2U);
}

TEST_F(PredictionReport, SaysThatNothingWasMeasured) {
  const campaign::CampaignResult result = run(false);
  EXPECT_TRUE(
      contains(to_markdown(section_of(result).blocks), "No prediction of this run was measured"));
  const auto json = nlohmann::json::parse(to_result_json(result));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["prediction_quality"]["all"]["n"], 0);
  EXPECT_TRUE(json["prediction_quality"]["all"]["hit_rate"].is_null());
}

TEST_F(PredictionReport, IsNotThereWhereNoRuleWasAsked) {
  EXPECT_TRUE(section_of(sample_result()).blocks.empty());
  const auto json = nlohmann::json::parse(to_result_json(sample_result()));
  EXPECT_TRUE(json["prediction_quality"].is_null());
  EXPECT_EQ(json["prediction_quality_reason"], "no rule was asked");
}

}  // namespace
}  // namespace tune::report
