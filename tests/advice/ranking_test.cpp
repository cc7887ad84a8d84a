#include "advice/recommendation.h"
#include "sample_findings.h"

#include <gtest/gtest.h>

namespace tune::advice {
namespace {

using Verdict = MeasuredGain::Verdict;

class Ranking : public testing::Test {
 protected:
  Recommendation& add(const std::string& id, double middle) {
    Recommendation recommendation{.rule = catalog_.find(id)};
    recommendation.predicted.lower = middle;
    recommendation.predicted.upper = middle;
    list_.push_back(std::move(recommendation));
    return list_.back();
  }

  std::string order(const HitRates& hit_rates = {}) {
    rank(list_, hit_rates);
    std::string ids;
    for (const Recommendation& recommendation : list_) {
      ids += recommendation.rule->id;
    }
    return ids;
  }

  rule::Catalog catalog_ = catalog_of({{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}});
  std::vector<Recommendation> list_;
};

TEST_F(Ranking, GoesByTheMiddleTimesTheHitRate) {
  add("a", 0.1);
  add("b", 0.3);
  add("c", 0.2);
  EXPECT_EQ(order(), "bca");
  EXPECT_EQ(list_[0].id, "R1");
  EXPECT_EQ(list_[2].id, "R3");
  EXPECT_EQ(order({{"b", 0.1}, {"a", 0.9}}), "cab");
}

TEST_F(Ranking, PutsConfirmedFirstAndRefutedLast) {
  add("a", 0.9).measured = MeasuredGain{.lower = -0.1, .verdict = Verdict::refuted};
  add("b", 0.3);
  add("c", 0.1).measured = MeasuredGain{.lower = 0.01, .verdict = Verdict::confirmed};
  add("d", 0.1).measured = MeasuredGain{.lower = 0.2, .verdict = Verdict::ambiguous};
  EXPECT_EQ(order(), "cdba");
}

TEST_F(Ranking, PutsWhatBreaksALimitLast) {
  add("a", 0.9).breaks_a_limit = true;
  add("b", 0.1);
  EXPECT_EQ(order(), "ba");
}

TEST_F(Ranking, PutsWhatBrokeAConstraintBehindWhatWasRefuted) {
  Recommendation& broken = add("a", 0.9);
  broken.measured = MeasuredGain{.lower = 0.5, .verdict = Verdict::confirmed};
  note_broken_constraints(broken, {"peak_memory_ratio 0.93 is above 0.9"});
  note_broken_constraints(broken, {"peak_memory_ratio 0.93 is above 0.9"});
  EXPECT_EQ(broken.risks,
            std::vector<std::string>{
                "It breaks a constraint of the scenario: peak_memory_ratio 0.93 is above 0.9."})
      << "once";
  Recommendation& kept = add("b", 0.1);
  kept.measured = MeasuredGain{.lower = -0.1, .verdict = Verdict::refuted};
  note_broken_constraints(kept, {});
  EXPECT_FALSE(kept.breaks_a_limit);
  EXPECT_EQ(order(), "ba");
}

TEST_F(Ranking, OfTiesTakesFewerKnobsThenTheId) {
  add("b", 0.1);
  add("a", 0.1).knobs = {{.name = "num_workers", .from = "", .to = {}, .reason = ""}};
  add("c", 0.1);
  EXPECT_EQ(order(), "bca");
}

TEST_F(Ranking, KeepsOneValueOfAKnob) {
  const auto workers = [](std::int64_t count) {
    return std::vector<ProposedKnob>{
        {.name = "num_workers", .from = "0", .to = trial::KnobValue(count), .reason = ""}};
  };
  add("a", 0.3).knobs = workers(8);
  add("b", 0.2).knobs = workers(2);
  add("c", 0.1).knobs = workers(2);
  list_[1].predicted.model = rule::Gain::Model::differential;
  order();
  settle_conflicts(list_);
  EXPECT_TRUE(list_[0].knobs.empty());
  EXPECT_EQ(list_[0].rejected, std::vector<std::string>{"num_workers 8: b proposes 2"});
  EXPECT_EQ(list_[1].knobs.size(), 1U);
  EXPECT_EQ(list_[2].knobs.size(), 1U);  // the same value is no conflict
}

}  // namespace
}  // namespace tune::advice
