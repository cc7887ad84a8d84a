#pragma once

#include "campaign/campaign_result.h"
#include "campaign/proposal.h"
#include "campaign/recorded_run.h"
#include "scenario/plan.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tune::campaign {

/// So many changes at most are put on top of one another, and tried first.
constexpr std::size_t kMostRungs = 3;

/// The recommendations of a diagnosis, as ranked, with what speaks against trying each in this run:
/// a knob that is none of the grid, a value outside of the grid's range. A guided search that has
/// not begun may try whole numbers between the values of the grid; others measure what is written.
Proposals proposals_of(const CampaignResult& result);

/// The cell that is the baseline with exactly these knobs changed; nothing where there is none.
std::optional<std::size_t> cell_with(const scenario::Plan& plan,
                                     const trial::KnobSettings& changed);

/// The cells of the first testable proposals, in their order: what the search tries first.
std::vector<std::size_t> favoured_cells(const scenario::Plan& plan, const Proposals& proposals);

/// Adds to the run's plan what its ledger proposes and the grid allows but does not have: each of
/// the first testable proposals, and each of them together with those before it. A forbidden
/// setting is not added.
void add_proposed_cells(RecordedRun& run);

}  // namespace tune::campaign
