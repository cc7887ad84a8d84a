#include "report/run_card.h"

#include "drawing_check.h"
#include "page_check.h"
#include "report/render_blocks.h"
#include "report/result_of.h"
#include "report/run_pages.h"
#include "sample_advice.h"
#include "sample_result.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tune::report {
namespace {

using campaign::CampaignResult;
using result::Recommendation;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Recommendation of_rule(const result::Result& result, const std::string& id) {
  const auto& all = result.recommendations;
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Recommendation& each) { return each.rule == id; });
  EXPECT_NE(found, all.end()) << id;
  return *found;
}

Markup card_of(const CampaignResult& result,
               const std::string& rule,
               CardStrip strip = CardStrip::drawn) {
  const result::Result record = result_of(result);
  return to_markup({{recommendation_card({record, &result}, of_rule(record, rule), strip)}});
}

Markup section_of(const CampaignResult& result) {
  return to_markup(run_advice_section({result_of(result), &result}));
}

TEST(Card, HasEveryFieldOfAConfirmedChange) {
  const std::string text = text_of(card_of(diagnosed_result(), "wait"));
  for (const char* const part : {"R1. Feed the training faster",
                                 "CONFIRMED +22.0 %",
                                 "rule wait",
                                 "Measured+22.0 % [+20.8 %, +23.2 %] in 8 fresh pairs: CONFIRMED",
                                 "peak memory 701 MiB to 779 MiB (+11.2 %)",
                                 "waiting for data 28.6 % to ",
                                 "time to the first step 740ms to 740ms",
                                 "Predicted+",
                                 "amdahl",
                                 "data_wait_ratio",
                                 "-  num_workers: 0\n+  num_workers: 2",
                                 "tune apply wait tune-runs/resnet18-20260302T101500Z",
                                 "tune verify wait tune-runs/resnet18-20260302T101500Z",
                                 "load faster",
                                 "own",
                                 "preserved",
                                 "of 16.00 GiB",
                                 "a change of code",
                                 "helps a Python script",
                                 "paired A/B",
                                 "quiet-one",
                                 "rules: {wait: off} in the scenario"}) {
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  }
}

TEST(Card, SaysWhatIsNotKnown) {
  const CampaignResult result = diagnosed_result();
  const std::string open = text_of(card_of(result, "hostile"));
  EXPECT_TRUE(contains(open, "PREDICTED +")) << open;
  EXPECT_TRUE(contains(open, "not tested: no setting of this grid has it"));
  EXPECT_TRUE(contains(open, "no setting of this run has this change alone"));
  EXPECT_TRUE(contains(open, "Use <b>2</b> \"workers\" & more")) << "as text";
  const std::string small = text_of(card_of(result, "small-batch"));
  EXPECT_TRUE(contains(small, "AMBIGUOUS +1.0 %"));
  EXPECT_TRUE(contains(small, "#  batch_size: cannot be computed here (no <memory> is known)"));
  const std::string layout = text_of(card_of(result, "layout"));
  EXPECT_TRUE(contains(layout, "REFUTED -3.0 %"));
  EXPECT_TRUE(contains(layout, "a rule that fired stands against it"));
}

TEST(Card, ChipsSayWhetherAGainWasMeasured) {
  Recommendation recommendation = of_rule(result_of(diagnosed_result()), "hostile");
  recommendation.predicted = {};
  EXPECT_EQ(chip_text(recommendation), "NOT MEASURED");
  advice::PredictedGain gain{.lower = 0.05, .upper = 0.12};
  recommendation.predicted = predicted_of(gain);
  EXPECT_EQ(chip_text(recommendation), "PREDICTED +5.0 to +12.0 %");
  gain.model = rule::Gain::Model::measured;
  recommendation.predicted = predicted_of(gain);
  EXPECT_TRUE(chip_text(recommendation).starts_with("SEEN IN THE SEARCH "));
}

TEST(Card, DrawsItsStepsWhereTheyWereRecorded) {
  CampaignResult result = diagnosed_result();
  EXPECT_EQ(elements_of(card_of(result, "wait"), "svg"), 0U) << "its setting recorded none";
  result.profiles.back().cell = "c12";
  EXPECT_EQ(elements_of(card_of(result, "wait"), "svg"), 1U);
  EXPECT_EQ(elements_of(card_of(result, "wait", CardStrip::left_out), "svg"), 0U);
}

TEST(AdviceSection, StandsInGroupsUnderOneAnother) {
  const CampaignResult result = diagnosed_result();
  const std::string text = text_of(section_of(result));
  std::size_t at = 0;
  for (const char* const part : {"What limits the baseline",
                                 "Confirmed by fresh pairs",
                                 "Feed the training faster",
                                 "Predicted, not measured",
                                 "Refuted or ambiguous",
                                 "Cumulative path",
                                 "Rules that passed: 1"}) {
    const std::size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << part;
    at = found;
  }
  EXPECT_TRUE(contains(text, "Ranked by lower bound of the measured gain"));
  EXPECT_EQ(section_of(sample_result()).finished(), "") << "no rule was asked";
}

// A table of "not measured" looks like a path that somebody took.
TEST(AdviceSection, HasNoPathWhereNothingOfItWasMeasured) {
  CampaignResult result = diagnosed_result();
  ASSERT_FALSE(result.ladder.empty());
  for (campaign::LadderRung& rung : result.ladder) {
    rung.pairs.reset();
    rung.reason = "the budget had no time left for its pairs";
  }
  const std::string text = text_of(section_of(result));
  EXPECT_FALSE(contains(text, "Cumulative path"));
  EXPECT_TRUE(contains(text,
                       "What the recommendations give together was not measured: the budget had no "
                       "time left for its pairs."))
      << text;
}

TEST(AdviceSection, VerdictsAndHeadingsAreNeverFolded) {
  const std::string html = section_of(diagnosed_result()).finished();
  std::size_t depth = 0;
  for (std::size_t at = 0; at < html.size(); ++at) {
    depth += html.compare(at, 9, "<details>") == 0 ? 1 : 0;
    depth -= html.compare(at, 10, "</details>") == 0 ? 1 : 0;
    const bool is_heading =
        html.compare(at, 4, "<h4>") == 0 || html.compare(at, 13, "<strong class") == 0;
    EXPECT_FALSE(is_heading && depth > 0) << html.substr(at, 80);
  }
}

TEST(AdviceSection, TakesManyAndLongTexts) {
  CampaignResult result = diagnosed_result();
  auto& all = result.diagnosis->diagnosis.recommendations;
  const advice::Recommendation first = all.front();
  for (int i = 0; i < 40; ++i) {
    advice::Recommendation more = first;
    more.id = "R" + std::to_string(100 + i);
    more.unmeasured = std::string(10'000, 'w');
    more.measured.reset();
    more.risks = {std::string(10'000, '<')};
    all.push_back(more);
  }
  const std::string html = to_html(result);
  expect_sound_page(html);
  EXPECT_TRUE(contains(html, "of a lower rank, in result.json"));
  EXPECT_LE(html.size(), 1'000'000U);
}

TEST(Card, HasNoEvidenceWithoutAFinding) {
  result::Result result = result_of(diagnosed_result());
  const Recommendation wait = of_rule(result, "wait");
  const auto has_evidence = [&] {
    return contains(to_markup({{recommendation_card({result}, wait)}}).finished(),
                    "<h5>Evidence</h5>");
  };
  EXPECT_TRUE(has_evidence());
  result.findings.clear();
  EXPECT_FALSE(has_evidence());
}

}  // namespace
}  // namespace tune::report
