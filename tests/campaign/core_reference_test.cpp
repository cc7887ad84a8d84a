#include "campaign/core_reference.h"

#include "fake_campaign.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

TrialRecord probed(const std::string& cell,
                   const std::string& stage,
                   const std::vector<std::int64_t>& means_ns) {
  TrialRecord record;
  record.spec.cell = cell;
  record.stage = stage;
  record.outcome.reply = make_reply("t", 100, static_cast<std::int64_t>(means_ns.size()));
  for (std::size_t i = 0; i < means_ns.size(); ++i) {
    record.outcome.reply->slices[i].disturbance.core_probe_ns = means_ns[i];
  }
  return record;
}

TEST(CoreReference, IsTheFastestSliceOfTheSameCellAndStage) {
  const std::vector<TrialRecord> trials = {probed("c1", "confirm", {300, 210, 250}),
                                           probed("c1", "confirm", {220, 260}),
                                           probed("c0", "confirm", {150}),
                                           probed("c1", "search", {140})};
  EXPECT_EQ(fastest_core_probe_ns(trials, "c1", "confirm"), 210);
  EXPECT_EQ(fastest_core_probe_ns(trials, "c0", "confirm"), 150);
  EXPECT_EQ(fastest_core_probe_ns(trials, "c2", "confirm"), 0);
}

TEST(CoreReference, ForgetsWhatIsLongAgoForClocksGetLower) {
  std::vector<TrialRecord> trials = {probed("c1", "confirm", {100})};
  for (int i = 0; i < 4; ++i) {
    trials.push_back(probed("c1", "confirm", {200}));
    trials.push_back(probed("c0", "confirm", {50}));
  }
  EXPECT_EQ(fastest_core_probe_ns(trials, "c1", "confirm"), 200);
}

TEST(CoreReference, PassesOverFailuresAndSlicesWithoutProbes) {
  std::vector<TrialRecord> trials = {probed("c1", "gate", {190})};
  trials.push_back(probed("c1", "gate", {0}));
  for (int i = 0; i < 5; ++i) {
    trials.push_back(probed("c1", "gate", {}));
    trials.back().outcome.reply.reset();
  }
  EXPECT_EQ(fastest_core_probe_ns(trials, "c1", "gate"), 190);
}

// A process that had a busy neighbour all the time cannot see that by itself.
TEST(CoreReference, APairKnowsHowFastTheCoresOfItsSideWere) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(1));
  FakeMachine machine;
  std::map<std::string, std::vector<std::int64_t>> told;
  machine.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    const bool is_confirmed = spec.measure.spare_slices > 0;
    if (is_confirmed) {
      told[spec.cell].push_back(spec.measure.fastest_core_probe_ns);
    } else {
      EXPECT_EQ(spec.measure.fastest_core_probe_ns, 0);
    }
    runner::TrialOutcome outcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
    outcome.reply = make_reply(spec.id, 100, spec.measure.slices);
    for (trial::Slice& slice : outcome.reply->slices) {
      slice.disturbance.core_probe_ns = spec.cell == "baseline" ? 200'000 : 300'000;
    }
    return outcome;
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  EXPECT_EQ(told["baseline"],
            (std::vector<std::int64_t>{0, 200'000, 200'000, 200'000, 200'000, 200'000}));
  EXPECT_EQ(told["c01"],
            (std::vector<std::int64_t>{0, 300'000, 300'000, 300'000, 300'000, 300'000}));
}

}  // namespace
}  // namespace tune::campaign
