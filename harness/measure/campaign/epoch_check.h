#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/confirming.h"
#include "measure/campaign/recorded_run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// Why no whole epoch of the cell can be run after the confirmation, or "" when it can: only of
/// data in files, for a batch that stays in memory has no epoch; of baseline and confirmed cells; a
/// cheap one (kCheapEpochS) that fits the time of a trial twice, for the worker first ends the
/// epoch that it is in.
std::string why_no_epoch(const scenario::Scenario& scenario,
                         std::size_t cell,
                         const ConfirmStanding& standing,
                         const std::vector<CellHistory>& histories);

/// The next trial of the stage "epoch": each such cell once, the baseline first. Nothing while the
/// confirmation is going on.
std::optional<Slot> next_epoch(const scenario::Scenario& scenario,
                               const ConfirmStanding& standing,
                               const std::vector<CellHistory>& histories);

/// How long it takes at most, in ns.
std::int64_t epoch_trial_ns(const CellHistory& history, const trial::Measure& measure);

/// One for the baseline and one for each cell in the confirmation, in the order of `standing`.
/// Empty before any pair has completed.
std::vector<EpochResult> epoch_results(const scenario::Scenario& scenario,
                                       const scenario::Plan& plan,
                                       const ConfirmStanding& standing,
                                       const std::vector<CellHistory>& histories);

}  // namespace tune::campaign
