#include "measure/campaign/run_warnings.h"

#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::campaign {

namespace {

TEST(RunWarnings, ImagesThatAreNotReadAreToldOnce) {
  TrialRecord failed, first, second;
  first.outcome.reply.emplace().loader.skipped_types = {"3 .png", "1 .txt"};
  second.outcome.reply = first.outcome.reply;
  EXPECT_EQ(unread_images_text({failed, first, second}),
            "images of other kinds are not read: 3 .png (only .jpg and .jpeg files are)");
  EXPECT_EQ(unread_images_text({failed}), "");
}

// Which cells get fresh pairs when the budget has no room for all, and what is said of the others.

// In 90 s there is no room for the pairs of two cells: 6 rounds of 3 trials of 2 s are more than
// 40 % of it.
class Unconfirmed : public testing::Test {
 protected:
  Unconfirmed()
      : campaign_(
            folder_.path(),
            scenario_text(2, "{strategy: grid, confirm: 2, confirm_rounds: 6, budget: 90s}")) {}

  // Two cells that the search cannot tell apart.
  CampaignResult run(std::int64_t confirming_ns = 2 * kSecond) {
    FakeMachine machine;
    machine.noise_ratio = 0.002;
    machine.before = [&](const trial::TrialSpec& spec) {
      const bool is_first = spec.id.starts_with("r1-");
      machine.rates = {{"c01", is_first ? 145 : 138}, {"c02", 140}};
      machine.trial_ns = spec.id.starts_with("confirm") ? confirming_ns : 2 * kSecond;
    };
    EXPECT_EQ(campaign_.sit(machine), "finished");
    return load_campaign(folder_.path());
  }

  static std::int64_t warnings_of(const CampaignResult& result, const std::string& text) {
    return std::count(result.warnings.begin(), result.warnings.end(), text);
  }

  TestFolder folder_;
  FakeCampaign campaign_;
};

constexpr const char* kLeftOut =
    "intra_op_threads=2 was not confirmed: the budget had room for the pairs of one setting only";

TEST_F(Unconfirmed, IsToldWithItsReason) {
  const CampaignResult result = run();
  ASSERT_EQ(result.confirmations.size(), 1U);
  EXPECT_EQ(result.confirmations[0].cell, "c02");
  EXPECT_EQ(warnings_of(result, kLeftOut), 1);
}

TEST_F(Unconfirmed, IsNobodyWhereThereIsRoom) {
  campaign_.budget_ns = 3600 * kSecond;  // of the sitting; the scenario's would have none
  const CampaignResult result = run();
  EXPECT_EQ(result.confirmations.size(), 2U);
  EXPECT_EQ(warnings_of(result, kLeftOut), 0);
}

TEST_F(Unconfirmed, StaysSoWhenThePairsTurnOutToBeCheaper) {
  const CampaignResult result = run(kSecond);
  ASSERT_EQ(result.confirmations.size(), 1U);
  EXPECT_EQ(result.confirmations[0].verdict, "confirmed") << "no second row waits for its look";
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(warnings_of(result, kLeftOut), 1);
}

TEST_F(Unconfirmed, NobodyIsDroppedInTheMiddleOfItsPairs) {
  campaign_.budget_ns = 110 * kSecond;  // room for two, had they not become dearer
  const CampaignResult result = run(3 * kSecond);
  EXPECT_EQ(result.confirmations.size(), 2U);
  EXPECT_EQ(warnings_of(result, kLeftOut), 0);
}

}  // namespace

}  // namespace tune::campaign
