// The winner's curse: of many equal settings some look faster than they are. The long version is
// tests/bench/campaign_simulation.

#include "campaign_figures.h"
#include "known_grid.h"
#include "repeats.h"
#include "run_campaign.h"

#include <gtest/gtest.h>

namespace tune::simulation {
namespace {

// Fresh processes of one setting differ by 2 %.
const noise::Environment& two_percent() {
  static const noise::Environment environment{.name = "2 %", .process_sd = 0.02};
  return environment;
}

struct Claims {
  double printed = 0;       ///< share of campaigns whose headline says that a setting is faster
  double looked_three = 0;  ///< share whose search saw a setting with more than 3 %
  double looked_one = 0;    ///< with more than 1 %: what would be printed without fresh pairs
};

Claims run_all(const std::string& search, std::size_t campaigns) {
  const search::SimulatedGrid equal = search::simulated_grid("equal", {4, 3, 2, 2}, 1);
  Claims claims;
  const double one = 1 / static_cast<double>(campaigns);
  for (std::uint64_t seed = 1; seed <= campaigns; ++seed) {
    const KnownGrid known =
        known_grid(equal, two_percent(), seed, search, "warmup: 2s, rounds: 1, slices: 3");
    fake::InProcessWorker worker(known.script);
    const campaign::CampaignResult result = run_campaign(known.scenario, worker);
    EXPECT_EQ(result.cells.size(), 48U);
    claims.printed += is_printed_as_a_gain(result) ? one : 0;
    claims.looked_three += best_of_search(result) > 0.03 ? one : 0;
    claims.looked_one += best_of_search(result) > 0.01 ? one : 0;
  }
  return claims;
}

TEST(EqualCells, AreNeverPrintedAsAGainThoughTheSearchSeesOne) {
  // 0 of 300: at 95 % the true share is below 1.0 %.
  const Claims claims = run_all("strategy: grid, confirm: 1", repeats(300));
  EXPECT_EQ(claims.printed, 0);
  EXPECT_GE(claims.looked_three, 0.5);
  EXPECT_GE(claims.looked_one, 0.8) << "who prints the search's best is wrong nearly always";
}

TEST(EqualCells, AreNeverPrintedAsAGainByAGuidedSearchEither) {
  const Claims claims = run_all("strategy: guided, confirm: 3", repeats(20));
  EXPECT_EQ(claims.printed, 0);
}

}  // namespace
}  // namespace tune::simulation
