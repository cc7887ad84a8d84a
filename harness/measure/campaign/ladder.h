#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/confirming.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/recorded_run.h"
#include "scenario/plan.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// The baseline with the first changes of a path together.
struct Rung {
  std::vector<std::size_t> proposals;  ///< places in the list, as they were added
  trial::KnobSettings changed;
  std::optional<std::size_t> cell;  ///< nothing: the plan has none with these settings
};

/// What the search and the confirmation know when the ladder is built.
struct LadderGround {
  const scenario::Plan& plan;
  const Proposals& proposals;
  const ConfirmStanding& confirmation;
  const std::vector<CellHistory>& histories;
  bool audit_is_whole = false;
};

/// The rungs baseline + R1, + R1 + R2, ...: at most kMostRungs testable proposals, confirmed ones
/// first, then as the rules ranked them. What was refuted, failed or breaks a constraint is left
/// out, and so is what the search saw lose, unless nothing else is left. A function of what ran
/// before the ladder alone.
std::vector<Rung> plan_ladder(const LadderGround& ground);

/// The cells of the rungs that no look of the confirmation has judged and that did not fail on the
/// ladder, from below.
std::vector<std::size_t> cells_to_climb(const std::vector<Rung>& rungs, const LadderGround& ground);

/// What the rungs gave. `confirmations` are those of the search's candidates; `why_missing` becomes
/// the reason of rungs without pairs.
std::vector<LadderRung> ladder_results(const RecordedRun& run,
                                       const LadderGround& ground,
                                       const std::vector<Confirmation>& confirmations,
                                       const std::string& why_missing);

}  // namespace tune::campaign
