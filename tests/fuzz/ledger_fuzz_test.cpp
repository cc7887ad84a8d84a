// Ledgers changed at random from fixed seeds: the run is either shown, as far as possible, or
// refused with a reason; and a run that is shown can be continued.

#include "../measure/campaign/fake_campaign.h"
#include "base/error.h"
#include "measure/campaign/recorded_run.h"
#include "mutator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <string>

namespace tune::campaign {
namespace {

TEST(LedgerFuzz, MutatedLedgersAreUnderstoodOrRefused) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(1, "{strategy: grid, budget: 60s}"));
  FakeMachine machine;
  campaign.sit(machine);
  const std::string text = read_file(ledger_file(folder.path()));
  const std::string header = text.substr(0, text.find('\n') + 1);
  fuzz::Mutator mutator(0);
  int understood = 0;
  constexpr int kTimes = 240;  // with fewer, chance decides the share that is understood
  for (int i = 0; i < kTimes; ++i) {
    // The header is most of the text; half of the time it stays unchanged.
    const bool whole = i % 2 == 0;
    const std::string mutated =
        whole ? mutator.mutate(text) : header + mutator.mutate(text.substr(header.size()));
    std::ofstream(ledger_file(folder.path()), std::ios::binary | std::ios::trunc) << mutated;
    try {
      const CampaignResult result = load_campaign(folder.path());
      EXPECT_LE(result.trials.size(), machine.ran.size());
      FakeMachine later;
      std::atomic<int> stop = 0;
      constexpr std::size_t kEnough = 40;  // a changed scenario may ask for any number of rounds
      later.before = [&](const trial::TrialSpec&) { stop = later.ran.size() > kEnough ? 1 : 0; };
      campaign.sit(later, &stop);
      load_campaign(folder.path());
      ++understood;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(ledger_file(folder.path()).string()))
          << error.what();
    }
  }
  EXPECT_GT(understood, 0);
  EXPECT_LT(understood, kTimes * 9 / 10);
}

}  // namespace
}  // namespace tune::campaign
