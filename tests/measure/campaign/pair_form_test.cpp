// The fresh pairs of a script run in the form that is applied, where there is one that works.

#include "measure/campaign/pair_form.h"

#include "fake_campaign.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::campaign {
namespace {

constexpr const char* kScript =
    "tune: 1\nname: fake\n"
    "workload: {command: [python3, train.py], device: cpu, shield: [], observed: {num_workers: "
    "0}}\n"
    "grid: {num_workers: [0, 2]}\n"
    "measure: {warmup: 2s, rounds: 2, slices: 5}\n"
    "search: {strategy: grid, confirm: 1, confirm_rounds: 6}\n";

PairForm with_an_option(const RecordedRun&, const scenario::Cell& cell) {
  return {.cell = cell.id,
          .applied = trial::AppliedForm{.options = {"--workers", "2"},
                                        .environment = {{"OMP_NUM_THREADS", "1"}},
                                        .copies = "forms/c01/files"}};
}

bool is_applied(const trial::TrialSpec& spec) {
  return spec.workload.script.applied.has_value();
}

class PairForms : public testing::Test {
 protected:
  PairForms() : campaign_(folder_.path(), kScript) {
    machine_.rates = {{"c01", 150}};
    machine_.before = [&](const trial::TrialSpec& spec) { given_.push_back(spec); };
  }

  // Trials of the pairs of c01, in the order in which they ran.
  std::vector<trial::TrialSpec> pairs() const {
    std::vector<trial::TrialSpec> found;
    for (const trial::TrialSpec& spec : given_) {
      if (spec.id.starts_with("confirm") && spec.cell == "c01") {
        found.push_back(spec);
      }
    }
    return found;
  }

  TestFolder folder_;
  FakeCampaign campaign_;
  FakeMachine machine_;
  std::vector<trial::TrialSpec> given_;
};

TEST_F(PairForms, RunAsTheChangeIsHandedOverAndNothingElseDoes) {
  campaign_.make_form = with_an_option;
  campaign_.sit(machine_);
  ASSERT_EQ(pairs().size(), 6U);
  for (const trial::TrialSpec& spec : given_) {
    EXPECT_EQ(is_applied(spec), spec.id.starts_with("confirm") && spec.cell == "c01") << spec.id;
  }
  const trial::TrialSpec first = pairs().front();
  EXPECT_EQ(first.knobs.at("num_workers"), trial::KnobValue(std::int64_t{0})) << "nothing injected";
  EXPECT_EQ(first.workload.script.applied->options, (std::vector<std::string>{"--workers", "2"}));
  EXPECT_EQ(first.workload.script.applied->copies, (folder_.path() / "forms/c01/files").string());
  const CampaignResult result = load_campaign(folder_.path());
  ASSERT_EQ(result.confirmations.size(), 1U);
  EXPECT_EQ(result.confirmations[0].verdict, "confirmed");
  ASSERT_TRUE(result.confirmations[0].form);
  EXPECT_TRUE(result.confirmations[0].form->applied);
  EXPECT_EQ(result.confirmations[0].form->why, "");
}

TEST_F(PairForms, AreMadeOnceHoweverOftenTheRunIsCutShort) {
  int made = 0;
  std::vector<std::string> injected;
  const auto ran =
      ran_in_short_sittings(3, 100, [&](FakeMachine& part, const std::atomic<int>* stop) {
        FakeCampaign again(folder_.path());
        again.make_form = [&](const RecordedRun& run, const scenario::Cell& cell) {
          ++made;
          return with_an_option(run, cell);
        };
        part.before = [&](const trial::TrialSpec& spec) {
          if (spec.id.starts_with("confirm") && spec.cell == "c01" && !is_applied(spec)) {
            injected.push_back(spec.id);
          }
        };
        again.sit(part, stop);
      });
  EXPECT_GT(ran.size(), 12U);
  EXPECT_EQ(made, 1);
  EXPECT_TRUE(injected.empty());
}

TEST_F(PairForms, AreInjectedWhereThereIsNoSuchForm) {
  campaign_.make_form = [](const RecordedRun&, const scenario::Cell& cell) {
    return PairForm{.cell = cell.id, .why = "num_workers is left to be made by hand"};
  };
  campaign_.sit(machine_);
  ASSERT_EQ(pairs().size(), 6U);
  EXPECT_FALSE(is_applied(pairs().front()));
  const CampaignResult result = load_campaign(folder_.path());
  ASSERT_TRUE(result.confirmation && result.confirmation->form);
  EXPECT_FALSE(result.confirmation->form->applied);
  EXPECT_EQ(result.confirmation->form->why, "num_workers is left to be made by hand");
}

TEST_F(PairForms, AreInjectedFromTheFirstOneOnWhereTheFormFailsAtItsFirstRun) {
  campaign_.make_form = with_an_option;
  machine_.mishap = [](const trial::TrialSpec& spec) {
    return is_applied(spec) ? std::optional(failed(runner::OutcomeKind::crashed,
                                                   "unrecognized arguments: --workers"))
                            : std::nullopt;
  };
  campaign_.sit(machine_);
  ASSERT_EQ(pairs().size(), 7U);
  EXPECT_TRUE(is_applied(pairs().front()));
  EXPECT_EQ(pairs()[0].id, pairs()[1].id) << "no pair is lost";
  EXPECT_FALSE(is_applied(pairs()[1]));
  const CampaignResult result = load_campaign(folder_.path());
  EXPECT_EQ(result.trials_failed, 0);
  ASSERT_TRUE(result.confirmation && result.confirmation->form);
  EXPECT_EQ(result.confirmation->verdict, "confirmed");
  EXPECT_EQ(result.confirmation->form->why,
            "its first run failed (unrecognized arguments: --workers)");
}

TEST_F(PairForms, AreInjectedWhereTheFormHasNoEffect) {
  campaign_.make_form = with_an_option;
  machine_.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    if (!is_applied(spec)) {
      return std::nullopt;
    }
    runner::TrialOutcome outcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
    outcome.reply = make_reply(spec.id, 150, spec.measure.slices);
    outcome.reply->script.emplace().observed = {{"num_workers", std::int64_t{0}}};
    return outcome;
  };
  campaign_.sit(machine_);
  EXPECT_EQ(pairs().size(), 7U);
  const CampaignResult result = load_campaign(folder_.path());
  ASSERT_TRUE(result.confirmation && result.confirmation->form);
  EXPECT_EQ(result.confirmation->form->why, "it has no effect: num_workers was 0, not 2");
}

TEST_F(PairForms, GoOnAsTheyBeganInARunOfAnOlderVersion) {
  std::atomic<int> stop = 0;
  campaign_.watcher.after = [&](const Standpoint& standpoint) {
    stop = standpoint.slot.stage == "confirm" && standpoint.slot.round == 2 ? 1 : 0;
  };
  campaign_.sit(machine_, &stop);
  FakeCampaign again(folder_.path());
  again.make_form = with_an_option;
  again.sit(machine_);
  for (const trial::TrialSpec& spec : given_) {
    EXPECT_FALSE(is_applied(spec)) << spec.id;
  }
  const CampaignResult result = load_campaign(folder_.path());
  ASSERT_TRUE(result.confirmation && result.confirmation->form);
  EXPECT_EQ(result.confirmation->form->why, "its pairs had begun with injection");
}

}  // namespace
}  // namespace tune::campaign
