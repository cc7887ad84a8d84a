#include "measure/campaign/verification.h"

#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "scenario/plan.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

using Verdict = advice::MeasuredGain::Verdict;

const trial::KnobSettings kEightThreads = {{"intra_op_threads", std::int64_t{8}}};

// A finished run, and what is verified of it: threads that its grid does not hold.
class VerifiedRun : public testing::Test {
 protected:
  VerifiedRun() : run_(folder_.path(), scenario_text(1)) {
    FakeMachine machine;
    run_.sit(machine);
  }

  // Begins a verification, or goes on with the one that has begun last.
  std::string verify(FakeMachine& machine, const std::atomic<int>* stop = nullptr) {
    const CampaignResult result = load();
    const Verification* const tried = find_verification(result.verifications, kEightThreads);
    if (tried == nullptr || !tried->is_open) {
      const fs::path directory = next_verification(folder_.path(), "too-few-threads");
      fs::create_directories(directory);
      campaigns_.emplace_back(
          directory, scenario_text(1), verification_overrides({}, kEightThreads));
    }
    machine.now_ns += 1000 * kSecond;
    return campaigns_.back().sit(machine, stop);
  }

  CampaignResult load() const { return load_campaign(folder_.path()); }

  TestFolder folder_;
  FakeCampaign run_;
  std::list<FakeCampaign> campaigns_;
};

advice::Recommendation eight_threads(const rule::Rule& rule) {
  advice::Recommendation recommendation{.id = "R1", .rule = &rule};
  recommendation.knobs = {{.name = "intra_op_threads", .from = "1", .to = std::int64_t{8}}};
  return recommendation;
}

}  // namespace

TEST(VerificationOverrides, KeepHowATrialMeasuresAndReplaceTheSearch) {
  const trial::KnobSettings change = {{"amp", std::string("bf16")},
                                      {"num_workers", std::int64_t{4}}};
  EXPECT_EQ(verification_overrides({"num_workers=2",
                                    "only=amp == 'none'",
                                    "budget=5m",
                                    "slices=2",
                                    "grid.amp=fp16",
                                    "seed=3",
                                    "exhaustive=true",
                                    "verify=none",
                                    "shard=2/3",
                                    "until=2%",
                                    "confirm_rounds=8"},
                                   change),
            (std::vector<std::string>{"num_workers=2",
                                      "slices=2",
                                      "confirm_rounds=8",
                                      "grid=none",
                                      "grid.amp=bf16",
                                      "grid.num_workers=4",
                                      "strategy=grid",
                                      "rounds=1",
                                      "confirm=1",
                                      "profile=none"}));
}

TEST_F(VerifiedRun, CarriesTheVerdictOfItsPairs) {
  EXPECT_TRUE(load().verifications.empty());
  FakeMachine machine;
  machine.rates = {{"c01", 130}};
  EXPECT_EQ(verify(machine), "finished");
  EXPECT_EQ(machine.ran.size(), 14U) << "each once, then six pairs";
  const CampaignResult result = load();
  ASSERT_EQ(result.verifications.size(), 1U);
  const Verification& verification = result.verifications.front();
  EXPECT_EQ(verification.directory, folder_.path() / "verified/01-too-few-threads");
  EXPECT_EQ(verification.change, kEightThreads);
  EXPECT_FALSE(verification.is_open);
  EXPECT_EQ(verification.reason, "");
  ASSERT_TRUE(verification.confirmation);
  const auto gain = gain_with_verdict(*verification.confirmation);
  ASSERT_TRUE(gain);
  EXPECT_EQ(gain->verdict, Verdict::confirmed);
  EXPECT_EQ(gain->pairs, 6);
  EXPECT_NEAR(gain->value, 0.3, 0.03);
  EXPECT_EQ(result.trials.size(), 18U) << "those of the run itself stay what they were";
  EXPECT_TRUE(result.complete);
}

TEST_F(VerifiedRun, CanBeRefuted) {
  FakeMachine machine;
  machine.rates = {{"c01", 90}};
  verify(machine);
  const CampaignResult result = load();
  const auto gain = gain_with_verdict(*result.verifications.at(0).confirmation);
  ASSERT_TRUE(gain);
  EXPECT_EQ(gain->verdict, Verdict::refuted);
}

TEST_F(VerifiedRun, GoesOnWhereItWasCutShort) {
  const std::atomic<int> stop = 1;
  FakeMachine machine;
  machine.rates = {{"c01", 130}};
  EXPECT_EQ(verify(machine, &stop), "interrupted");
  const CampaignResult cut = load();
  const Verification* const open = find_verification(cut.verifications, kEightThreads);
  ASSERT_NE(open, nullptr);
  EXPECT_TRUE(open->is_open);
  EXPECT_EQ(open->reason, "interrupted: 14 of 14 trials missing");
  verify(machine);
  const CampaignResult result = load();
  ASSERT_EQ(result.verifications.size(), 1U);
  EXPECT_FALSE(result.verifications[0].is_open);
  EXPECT_TRUE(gain_with_verdict(*result.verifications[0].confirmation));
}

TEST_F(VerifiedRun, WhoseSettingFailsHasNoVerdictAndMayBeTriedAnew) {
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.cell == "c01" ? std::optional(failed(runner::OutcomeKind::out_of_memory, "wall"))
                              : std::nullopt;
  };
  verify(machine);
  const CampaignResult result = load();
  ASSERT_EQ(result.verifications.size(), 1U);
  EXPECT_FALSE(result.verifications[0].is_open);
  EXPECT_TRUE(result.verifications[0].reason.starts_with("the setting failed: "))
      << result.verifications[0].reason;
  EXPECT_EQ(next_verification(folder_.path(), "x"), folder_.path() / "verified/02-x");
  FakeMachine better;
  better.rates = {{"c01", 130}};
  verify(better);
  const CampaignResult again = load();
  ASSERT_EQ(again.verifications.size(), 2U);
  EXPECT_EQ(find_verification(again.verifications, kEightThreads), &again.verifications[1]);
}

TEST_F(VerifiedRun, IsReadWithoutAVerificationThatIsDamaged) {
  FakeMachine machine;
  verify(machine);
  std::ofstream(folder_.path() / "verified/01-too-few-threads/ledger.jsonl", std::ios::trunc)
      << "{}\n";
  fs::create_directories(folder_.path() / "verified/02-not-begun");
  const CampaignResult result = load();
  EXPECT_TRUE(result.verifications.empty());
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_TRUE(result.warnings.back().starts_with("a verification cannot be read: "));
}

TEST_F(VerifiedRun, GivesItsGainToTheRecommendationOfThatChangeAlone) {
  FakeMachine machine;
  machine.rates = {{"c01", 130}};
  verify(machine);
  rule::Rule rule;
  rule.id = "too-few-threads";
  advice::Recommendation other = eight_threads(rule);
  other.knobs.push_back({.name = "amp", .to = std::string("bf16")});
  advice::Recommendation unknown = eight_threads(rule);
  unknown.knobs[0].to.reset();
  std::vector<advice::Recommendation> all = {eight_threads(rule), other, unknown};
  EXPECT_TRUE(add_verified_gains(load().verifications, all));
  ASSERT_TRUE(all[0].measured);
  EXPECT_EQ(all[0].measured->verdict, Verdict::confirmed);
  EXPECT_FALSE(all[1].measured);
  EXPECT_FALSE(all[2].measured);
  // What the run itself has confirmed stays, unless more pairs were asked for than a verdict needs.
  all = {eight_threads(rule)};
  all[0].measured = advice::MeasuredGain{.value = -0.5, .verdict = Verdict::refuted};
  std::vector<Verification> verifications = load().verifications;
  EXPECT_FALSE(add_verified_gains(verifications, all));
  EXPECT_EQ(all[0].measured->verdict, Verdict::refuted);
  verifications[0].until = 0.01;
  EXPECT_TRUE(add_verified_gains(verifications, all));
  EXPECT_EQ(all[0].measured->verdict, Verdict::confirmed);
}

TEST(OpenVerification, IsTheNewestOfItsChangeWhereThatIsOpen) {
  const trial::KnobSettings other = {{"amp", std::string("bf16")}};
  std::vector<Verification> all = {{.directory = "01", .change = kEightThreads, .is_open = true},
                                   {.directory = "02", .change = other, .is_open = true}};
  EXPECT_EQ(open_verification(all, kEightThreads), &all[0]);
  EXPECT_EQ(open_verification(all, {}), nullptr);
  all.push_back({.directory = "03", .change = kEightThreads, .is_open = false});
  EXPECT_EQ(open_verification(all, kEightThreads), nullptr) << "what came later has an answer";
}

TEST(WantedVerifications, AreAsManyAsTheCommandLineSays) {
  const auto wanted = [](const std::string& word) {
    scenario::Scenario scenario;
    scenario.verify = word;
    return wanted_verifications(scenario);
  };
  EXPECT_EQ(wanted(""), 0U);
  EXPECT_EQ(wanted("none"), 0U);
  EXPECT_EQ(wanted("top:3"), 3U);
  EXPECT_GT(wanted("all"), 1000U);
  scenario::Scenario part;
  part.verify = "all";
  part.shard = scenario::parse_shard("1/2");
  EXPECT_EQ(wanted_verifications(part), 0U) << "what is joined later verifies";
}

}  // namespace tune::campaign
