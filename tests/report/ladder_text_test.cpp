#include "report/ladder_text.h"

#include "report/gain_parts_text.h"
#include "report/result_json.h"
#include "report/result_of.h"
#include "report/run_advice.h"
#include "report/run_pages.h"
#include "sample_result.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

campaign::Confirmation pairs(double gain) {
  campaign::Confirmation row;
  row.cell = "c01";
  row.pairs = 7;
  row.gain = {
      .value = gain, .lower = gain - 0.01, .upper = gain + 0.01, .confidence = 0.95, .n = 7};
  row.verdict = "confirmed";
  return row;
}

campaign::CampaignResult with_ladder() {
  campaign::CampaignResult result = sample_result();
  campaign::LadderRung first{.rules = {"synchronous-loader"},
                             .cell = "c01",
                             .changed = {{"num_workers", std::int64_t{2}}},
                             .pairs = pairs(0.2),
                             .step_gain = 0.2};
  campaign::LadderRung second{
      .rules = {"synchronous-loader", "small-batch"},
      .cell = "c02",
      .changed = {{"batch_size", std::int64_t{64}}, {"num_workers", std::int64_t{2}}},
      .pairs = pairs(0.5),
      .step_gain = 0.25,
      .product = 0.56,
      .product_reason = "from the search, not from fresh pairs: small-batch",
      .interaction = -0.038};
  campaign::LadderRung third{.rules = {"synchronous-loader", "small-batch", "cpu-full-precision"},
                             .cell = "c03",
                             .changed = {{"amp", std::string("bf16")}},
                             .reason = "the budget had no time left for its pairs"};
  result.ladder = {first, second, third};
  result.proposals = campaign::Proposals{
      .list = {{.rule = "synchronous-loader",
                .knobs = {{"num_workers", std::int64_t{2}}},
                .lower = 0.1,
                .upper = 0.3},
               {.rule = "pageable-transfers", .outside = "pin_memory is not a knob of the grid"}}};
  result.ceilings = {{.id = "compute_ceiling", .trial = "ceiling1-baseline", .rate = 80},
                     {.id = "data_ceiling", .trial = "ceiling2-baseline", .reason = "crashed"}};
  return result;
}

TEST(LadderText, ShowsEachRungFromTheBaselineUp) {
  const Table table = ladder_table(result_of(with_ladder()));
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[0][0], "baseline");
  EXPECT_EQ(table.rows[1][0], "+ synchronous-loader: num_workers=2");
  EXPECT_EQ(table.rows[1][1], "+20.0 %");
  EXPECT_EQ(table.rows[1][3], "CONFIRMED");
  EXPECT_EQ(table.rows[1][4], "") << "it is the first change";
  EXPECT_EQ(table.rows[2][4], "+25.0 %");
  EXPECT_EQ(table.rows[2][5], "+56.0 %");
  EXPECT_EQ(table.rows[2][6], "-3.8 %");
  EXPECT_EQ(table.rows[3][1], "not measured");
  EXPECT_EQ(table.rows[3][7], "dropped: the budget had no time left for its pairs");
  EXPECT_TRUE(ladder_table(result_of(sample_result())).rows.empty());
}

TEST(LadderText, SaysTheSameInSentences) {
  const auto lines = ladder_lines(result_of(with_ladder()));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "+ synchronous-loader: num_workers=2: +20.0 % [+19.0, +21.0] % in 7 fresh pairs, "
            "CONFIRMED");
  EXPECT_NE(lines[1].find("the last change adds +25.0 %; the single gains would make +56.0 %, "
                          "interaction -3.8 % (from the search"),
            std::string::npos)
      << lines[1];
  EXPECT_TRUE(lines[2].ends_with("dropped, the budget had no time left for its pairs"));
}

TEST(LadderJson, FitsTheSchema) {
  const auto json = nlohmann::json::parse(to_result_json(with_ladder()));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["ladder"].size(), 3U);
  EXPECT_EQ(json["ladder"][1]["interaction"], -0.038);
  EXPECT_TRUE(json["ladder"][2]["gain"].is_null());
  EXPECT_EQ(json["proposals"][1]["outside"], "pin_memory is not a knob of the grid");
  const auto without = nlohmann::json::parse(to_result_json(sample_result()));
  EXPECT_TRUE(without["proposals"].is_null());
  EXPECT_EQ(without["proposals_reason"], "the rules were not asked during the run");
  double compute = 0;
  bool has_reason = false;
  for (const auto& metric : json["metrics"]) {
    compute = metric["id"] == "compute_ceiling" ? metric["value"].get<double>() : compute;
    has_reason = has_reason || (metric["id"] == "data_ceiling" && metric["reason"] == "crashed");
  }
  EXPECT_EQ(compute, 80);
  EXPECT_TRUE(has_reason);
}

TEST(CeilingWords, SayWhatEachPartCouldDoAlone) {
  EXPECT_EQ(
      ceiling_words(result_of(with_ladder())),
      "on batches that are always there the model would do 80.0 samples/s, without a model the "
      "loader was not measured (crashed) (one short trial each)");
  EXPECT_EQ(ceiling_words(result_of(sample_result())), "");
}

// A part alone cannot be slower than the whole: such a figure would only contradict the headline.
TEST(CeilingWords, TellNoFigureBelowWhatTheBaselineDid) {
  auto result = with_ladder();
  const double baseline = result.cells.front().throughput->value.value_or(0);
  result.ceilings = {{.id = "compute_ceiling", .rate = 0.95 * baseline},
                     {.id = "data_ceiling", .rate = 33966}};
  EXPECT_EQ(ceiling_words(result_of(result)),
            "on batches that are always there the model is not above the baseline within noise, "
            "without a model the loader would do 33966 samples/s (one short trial each)");
  result.confirmation->baseline.value = 2 * baseline;  // the fresh pairs say more
  result.ceilings = {{.id = "compute_ceiling", .rate = 1.5 * baseline}};
  EXPECT_NE(ceiling_words(result_of(result)).find("not above the baseline"), std::string::npos);
}

// As a recommendation of any rule says it.
result::Recommendation said(advice::Recommendation recommendation) {
  static const rule::Rule kRule;
  recommendation.rule = &kRule;
  return recommendation_of(recommendation);
}

result::MeasuredGain said(const advice::MeasuredGain& gain) {
  return said(advice::Recommendation{.measured = gain}).measured;
}

TEST(GainParts, SayWhereAGainComesFrom) {
  advice::MeasuredGain gain{.value = 0.25, .lower = 0.24, .upper = 0.26, .pairs = 7};
  gain.before = 50;
  gain.after = 62.5;
  EXPECT_EQ(before_after_words(said(gain)), "50.0 samples/s before, 62.5 after");
  EXPECT_EQ(gain_parts_words(said(gain)), "");
  EXPECT_TRUE(gain_parts_table(said(gain)).rows.empty());
  gain.attribution = advice::attribute(
      {.phases = {.data_wait_ns = 5'000'000, .forward_ns = 15'000'000}, .samples = 1},
      {.phases = {.data_wait_ns = 500'000, .forward_ns = 15'500'000}, .samples = 1},
      gain.value);
  ASSERT_TRUE(gain.attribution);
  EXPECT_EQ(before_after_words(said(gain)),
            "50.0 samples/s before, 62.5 after; 20.000ms a sample before, 16.000ms after");
  EXPECT_EQ(gain_parts_words(said(gain)),
            "of the +25.0 points: waiting for data +28.1, forward -3.1");
  const Table table = gain_parts_table(said(gain));
  ASSERT_EQ(table.rows.size(), 7U);
  EXPECT_EQ(table.rows[0],
            (std::vector<std::string>{
                "waiting for data", "5.000", "0.500", "+4.500", "112.5 %", "+28.1"}));
  EXPECT_EQ(table.rows[6],
            (std::vector<std::string>{"sum", "20.000", "16.000", "+4.000", "100.0 %", "+25.0"}));
}

TEST(GainParts, CompareThePredictionWithTheMeasurement) {
  advice::Recommendation recommendation;
  EXPECT_EQ(said(recommendation).against_prediction, "");
  recommendation.predicted.lower = 0.1;
  recommendation.predicted.upper = 0.2;
  EXPECT_EQ(said(recommendation).against_prediction, "");
  recommendation.measured = advice::MeasuredGain{.value = 0.15};
  EXPECT_EQ(said(recommendation).against_prediction, "as predicted");
  recommendation.measured->value = 0.3;
  EXPECT_EQ(said(recommendation).against_prediction, "more than predicted");
  recommendation.measured->value = -0.1;
  EXPECT_EQ(said(recommendation).against_prediction, "less than predicted");
}

}  // namespace
}  // namespace tune::report
