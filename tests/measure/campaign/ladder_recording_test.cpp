// The first round of the ladder records steps, as long as its pairs fit beside them.

#include "fake_campaign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

namespace tune::campaign {
namespace {

// Search 18 s, pairs 24 s, ladder 24 s; each recording takes 10 s more, of which the search has one
// and the pairs two.
class LadderRecording : public testing::Test {
 protected:
  // The trials that recorded steps.
  std::set<std::string> run(std::optional<std::int64_t> budget_ns) {
    FakeCampaign campaign(folder_.path(), scenario_text(2));
    campaign.budget_ns = budget_ns;
    campaign.propose = [](const RecordedRun&) {
      return Proposals{.list = {{.rule = "threads",
                                 .knobs = {{"intra_op_threads", std::int64_t{2}}},
                                 .lower = 0.1,
                                 .upper = 0.3}}};
    };
    std::set<std::string> recorded;
    machine_.noise_ratio = 0.002;
    machine_.rates = {{"baseline", 100}, {"c01", 120}, {"c02", 140}};
    machine_.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
      if (!spec.profile) {
        return std::nullopt;
      }
      recorded.insert(spec.id);
      runner::TrialOutcome outcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
      outcome.reply = make_reply(spec.id, machine_.rates.at(spec.cell), spec.measure.slices);
      outcome.reply->phases = {{"profiled", machine_.now_ns, machine_.now_ns + 10 * kSecond}};
      machine_.now_ns += 10 * kSecond;
      return outcome;
    };
    campaign.sit(machine_);
    return recorded;
  }

  bool ran(const std::string& id) const {
    return std::find(machine_.ran.begin(), machine_.ran.end(), id) != machine_.ran.end();
  }

  TestFolder folder_;
  FakeMachine machine_;
};

TEST_F(LadderRecording, IsOfBothSidesOfItsFirstRound) {
  EXPECT_EQ(
      run(std::nullopt),
      (std::set<std::string>{
          "r1-baseline", "confirm1-baseline", "confirm1-c02", "ladder1-baseline", "ladder1-c01"}));
  EXPECT_TRUE(ran("ladder6-c01"));
}

TEST_F(LadderRecording, GivesWayToThePairs) {
  const auto recorded = run(110 * kSecond);
  EXPECT_TRUE(recorded.contains("confirm1-c02"));
  EXPECT_FALSE(recorded.contains("ladder1-baseline") || recorded.contains("ladder1-c01"));
  EXPECT_TRUE(ran("ladder6-c01") && ran("ladder6-baseline")) << "the verdict comes first";
}

TEST_F(LadderRecording, IsMadeWhereTheBudgetHasRoomForBoth) {
  const auto recorded = run(140 * kSecond);
  EXPECT_TRUE(recorded.contains("ladder1-baseline") && recorded.contains("ladder1-c01"));
  EXPECT_TRUE(ran("ladder6-c01") && ran("ladder6-baseline"));
}

}  // namespace
}  // namespace tune::campaign
