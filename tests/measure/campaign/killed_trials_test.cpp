#include "base/error.h"
#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/run_trials.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace tune::campaign {

namespace {

std::string outcome_of(const std::string& id, const CampaignResult& result) {
  return std::find_if(result.cells.begin(),
                      result.cells.end(),
                      [&](const CellResult& one) { return one.cell.id == id; })
      ->outcome;
}

// As by the OOM killer, which looked for memory for somebody else.
std::optional<runner::TrialOutcome> killed(const trial::TrialSpec&) {
  runner::TrialOutcome outcome =
      failed(runner::OutcomeKind::out_of_memory, "killed by SIGKILL in phase measure");
  outcome.was_killed = true;
  return outcome;
}

}  // namespace

TEST(Campaign, RepeatsWhatWasKilledOnceInItsPlace) {
  for (const std::string search : {"{strategy: grid, confirm: 1, confirm_rounds: 6}",
                                   "{strategy: guided, confirm: 1, confirm_rounds: 6}"}) {
    const TestFolder folder;
    FakeCampaign campaign(folder.path(), scenario_text(3, search));
    FakeMachine machine;
    machine.rates = {{"c02", 150}};
    machine.mishap = [](const trial::TrialSpec& spec) {
      return spec.id.ends_with(".2") ? std::nullopt : killed(spec);
    };
    EXPECT_EQ(campaign.sit(machine), "finished");
    for (std::size_t i = 0; i + 1 < machine.ran.size(); i += 2) {
      EXPECT_EQ(machine.ran[i + 1], machine.ran[i] + ".2");
    }
    const CampaignResult result = load_campaign(folder.path());
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(exit_code(result), ExitCode::fine);
    EXPECT_EQ(result.confirmation->cell, "c02");
    EXPECT_EQ(result.trials_failed, static_cast<std::int64_t>(machine.ran.size() / 2));
    EXPECT_EQ(outcome_of("c01", result), "completed") << "it does not want too much memory";
    FakeMachine later;
    EXPECT_EQ(campaign.sit(later), "finished");
    EXPECT_TRUE(later.ran.empty()) << "the ledger knows it";
  }
}

TEST(Campaign, GivesUpWhatIsKilledTwiceInItsPlace) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.cell == "c01" ? killed(spec) : std::nullopt;
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  EXPECT_EQ(outcome_of("c01", load_campaign(folder.path())), "out-of-memory");
  EXPECT_EQ(std::count_if(machine.ran.begin(),
                          machine.ran.end(),
                          [](const std::string& id) { return id.find("c01") != id.npos; }),
            2);
}

TEST(Campaign, StopsWhereABaselineThatHasRunIsKilledTwiceAndGoesOnLater) {
  for (const std::string place : {"r2-baseline", "confirm1-baseline"}) {
    const TestFolder folder;
    FakeCampaign campaign(folder.path(), scenario_text(3));
    FakeMachine machine;
    machine.rates = {{"c02", 150}};
    machine.mishap = [&](const trial::TrialSpec& spec) {
      return spec.id.starts_with(place) ? killed(spec) : std::nullopt;
    };
    for (const std::string last : {".2", ".4"}) {
      EXPECT_THROW(campaign.sit(machine), MachineError);
      EXPECT_EQ(machine.ran.back(), place + last);
    }
    FakeMachine later;
    later.rates = machine.rates;
    EXPECT_EQ(campaign.sit(later), "finished");
    EXPECT_EQ(later.ran.front(), place + ".5");
    EXPECT_EQ(exit_code(load_campaign(folder.path())), ExitCode::fine);
  }
}

}  // namespace tune::campaign
