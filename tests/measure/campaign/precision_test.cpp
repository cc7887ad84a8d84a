// Pairs that go on to a precision, over looks that are fixed before the first of them.

#include "base/stats/looks.h"
#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/verification.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

const std::vector<std::int64_t> kLooks = {9, 14, 21, 32, 48, 72, 108, 162, 243};

std::string pairs_text() {
  return scenario_text(1, "{strategy: grid, confirm: 1}");
}

FakeMachine faster(double noise_ratio) {
  FakeMachine machine;
  machine.noise_ratio = noise_ratio;
  machine.rates = {{"c01", 130}};
  return machine;
}

double half_width(const LookRecord& look) {
  return (look.upper - look.lower) / 2;
}

Confirmation measured(const std::vector<std::string>& overrides, double noise_ratio) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), pairs_text(), overrides);
  FakeMachine machine = faster(noise_ratio);
  EXPECT_EQ(campaign.sit(machine), "finished");
  return load_campaign(folder.path()).confirmations.at(0);
}

TEST(Precision, EndsAtTheFirstLookThatIsPreciseEnough) {
  const Confirmation row = measured({"until=2%"}, 0.02);
  ASSERT_GE(row.looks.size(), 2U) << "a clear gain is confirmed long before it is known to 2 %";
  EXPECT_EQ(row.looks.front().verdict, "confirmed");
  for (std::size_t i = 0; i < row.looks.size(); ++i) {
    EXPECT_EQ(row.looks[i].pairs, kLooks[i]);
    EXPECT_DOUBLE_EQ(row.looks[i].alpha, stats::kAdviceAlpha / 9);
    EXPECT_EQ(half_width(row.looks[i]) <= 0.02, i + 1 == row.looks.size()) << row.looks[i].pairs;
  }
  EXPECT_EQ(row.pairs, row.looks.back().pairs);
  EXPECT_EQ(row.wanted, row.pairs);
  EXPECT_EQ(row.verdict, "confirmed");
}

TEST(Precision, TakesNoMorePairsThanAVerdictWhereTheyAreAlike) {
  const Confirmation row = measured({"until=5%"}, 0.002);
  EXPECT_EQ(row.looks.size(), 1U);
  EXPECT_EQ(row.pairs, 9);
}

TEST(Precision, IsNotReachedWhereThePairsAreLimited) {
  const Confirmation row = measured({"until=0.1%", "confirm_rounds=16"}, 0.02);
  ASSERT_EQ(row.looks.size(), 3U);
  EXPECT_EQ(row.looks.back().pairs, 16);
  EXPECT_DOUBLE_EQ(row.looks.back().alpha, stats::kAdviceAlpha / 3) << "of three looks";
  EXPECT_GT(half_width(row.looks.back()), 0.001);
}

TEST(Precision, ARunCutShortAtAnyTrialGoesOnToTheSameLook) {
  const TestFolder whole_folder, folder;
  FakeCampaign whole(whole_folder.path(), pairs_text(), {"until=2%"});
  FakeMachine machine = faster(0.02);
  whole.sit(machine);
  FakeCampaign campaign(folder.path(), pairs_text(), {"until=2%"});
  const auto ran =
      ran_in_short_sittings(5, 10'000, [&](FakeMachine& part, const std::atomic<int>* stop) {
        part.noise_ratio = 0.02;
        part.rates = {{"c01", 130}};
        campaign.sit(part, stop);
      });
  EXPECT_EQ(distinct_ids(load_campaign(folder.path()).trials),
            distinct_ids(load_campaign(whole_folder.path()).trials));
  EXPECT_GE(ran.size(), machine.ran.size());
  EXPECT_GE(load_campaign(folder.path()).confirmations.at(0).looks.size(), 2U);
}

TEST(Precision, AVerificationStaysOpenAfterAVerdictUntilItIsPrecise) {
  const TestFolder folder;
  FakeCampaign run(folder.path(), scenario_text(1));
  FakeMachine first;
  run.sit(first);
  const trial::KnobSettings change = {{"intra_op_threads", std::int64_t{8}}};
  const auto directory = next_verification(folder.path(), "too-few-threads");
  std::filesystem::create_directories(directory);
  std::vector<std::string> overrides = verification_overrides({}, change);
  overrides.emplace_back("until=0.5%");
  FakeCampaign campaign(directory, pairs_text(), overrides);
  constexpr double kNoise = 0.01;  // with 0.02 the last look ends at 0.7 %
  FakeMachine machine = faster(kNoise);
  campaign.budget_ns = 50 * kSecond;  // for the first look and a few pairs
  EXPECT_EQ(campaign.sit(machine), "budget");
  const CampaignResult cut = load_campaign(folder.path());
  ASSERT_EQ(cut.verifications.size(), 1U);
  const Verification& open = cut.verifications.front();
  EXPECT_TRUE(open.is_open);
  EXPECT_EQ(open.until, 0.005);
  EXPECT_GT(open.elapsed_ns, 0);
  ASSERT_TRUE(open.confirmation);
  EXPECT_EQ(open.confirmation->verdict, "confirmed");
  EXPECT_EQ(open_verification(cut.verifications, change), &open);
  campaign.budget_ns = 10'000 * kSecond;
  FakeMachine more = faster(kNoise);
  more.now_ns = 2000 * kSecond;
  EXPECT_EQ(campaign.sit(more), "finished");
  const CampaignResult result = load_campaign(folder.path());
  const Verification& closed = result.verifications.at(0);
  EXPECT_FALSE(closed.is_open);
  EXPECT_LE(half_width(closed.confirmation->looks.back()), 0.005);
  EXPECT_GT(closed.confirmation->pairs, open.confirmation->looks.back().pairs);
}

}  // namespace
}  // namespace tune::campaign
