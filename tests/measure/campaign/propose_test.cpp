#include "../../advice/sample_findings.h"
#include "measure/campaign/proposal.h"

#include <gtest/gtest.h>

#include <memory>

namespace tune::campaign {
namespace {

advice::ProposedKnob set(const std::string& knob, const trial::KnobValue& to) {
  advice::ProposedKnob proposed;
  proposed.name = knob;
  proposed.to = to;
  return proposed;
}

class Propose : public testing::Test {
 protected:
  Propose() {
    result_.scenario.strategy = "guided";
    result_.scenario.grid = {{"num_workers", {std::int64_t{0}, std::int64_t{4}}},
                             {"amp", {std::string("none"), std::string("bf16")}}};
    result_.scenario.baseline = {{"num_workers", std::int64_t{0}}, {"amp", std::string("none")}};
    result_.diagnosis.emplace();
    result_.diagnosis->catalog =
        std::make_shared<const rule::Catalog>(advice::catalog_of({{"wait", ""}}));
  }

  // What one recommendation with these knobs becomes.
  Proposal of(const std::vector<advice::ProposedKnob>& knobs) {
    advice::Recommendation recommendation{.rule = result_.diagnosis->catalog->find("wait")};
    recommendation.knobs = knobs;
    recommendation.predicted.lower = 0.1;
    recommendation.predicted.upper = 0.2;
    result_.diagnosis->diagnosis.recommendations = {recommendation};
    return proposals_of(result_).list.at(0);
  }

  CampaignResult result_;
};

TEST_F(Propose, KeepsTheChangeAndItsPrediction) {
  const Proposal found = of({set("num_workers", std::int64_t{4}), set("amp", std::string("bf16"))});
  EXPECT_EQ(found.rule, "wait");
  EXPECT_TRUE(found.is_testable()) << found.outside;
  EXPECT_EQ(trial::to_text(found.knobs), "amp=bf16 num_workers=4");
  EXPECT_EQ(found.lower, 0.1);
  EXPECT_EQ(found.upper, 0.2);
}

TEST_F(Propose, AllowsWholeNumbersWithinTheRangeToAGuidedSearchAlone) {
  EXPECT_TRUE(of({set("num_workers", std::int64_t{3})}).is_testable());
  EXPECT_EQ(of({set("num_workers", std::int64_t{8})}).outside,
            "num_workers 8 is outside of the grid's 0 to 4");
  result_.scenario.strategy = "grid";
  EXPECT_EQ(of({set("num_workers", std::int64_t{3})}).outside,
            "num_workers 3 is not a value of the grid, and strategy grid measures only those");
  EXPECT_TRUE(of({set("num_workers", std::int64_t{4})}).is_testable());
}

TEST_F(Propose, AddsNoCellInTheMiddleOfASearch) {
  result_.trials.emplace_back().stage = "search";
  EXPECT_EQ(of({set("num_workers", std::int64_t{3})}).outside,
            "num_workers 3 is not a value of the grid, and the search had begun");
  EXPECT_TRUE(of({set("num_workers", std::int64_t{4})}).is_testable());
}

TEST_F(Propose, SaysWhyTheGridHasNoSuchCell) {
  EXPECT_EQ(of({set("pin_memory", true)}).outside, "pin_memory is not a knob of the grid");
  EXPECT_EQ(of({set("amp", std::string("fp16"))}).outside, "amp fp16 is not a value of the grid");
  advice::ProposedKnob unknown;
  unknown.name = "num_workers";
  unknown.reason = "no probe";
  const Proposal found = of({unknown});
  EXPECT_EQ(found.outside, "the value of num_workers is not known: no probe");
  EXPECT_FALSE(found.is_testable());
  EXPECT_FALSE(of({}).is_testable()) << "a change of code";
}

TEST_F(Propose, SaysThatNobodyCouldBeAsked) {
  result_.diagnosis.reset();
  EXPECT_EQ(proposals_of(result_).reason, "no trial of the baseline completed");
}

}  // namespace
}  // namespace tune::campaign
