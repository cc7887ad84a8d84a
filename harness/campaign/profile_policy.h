#pragma once

#include "campaign/slot.h"
#include "scenario/scenario.h"

namespace tune::campaign {

/// Whether the steps after the measured window of this trial are recorded, by what the scenario
/// says under `profile: {cells: ...}`:
///
///     none      no trial
///     baseline  the first of the baseline
///     best      that, and the first round of the confirmation and of the ladder: both sides of
///               their pairs alike
///     all       that, and every cell in the first round of the search
///
/// On the ladder only where the budget has room for it beside the pairs: Progress::is_recorded().
/// has_diagnosis: a trial of the stage "diagnose" is the first of the baseline.
bool is_profiled(const scenario::Scenario& scenario, const Slot& slot, bool has_diagnosis = false);

/// Trials of one such round of the confirmation, with so many cells beside the baseline.
std::int64_t profiled_in_confirmation(const scenario::Scenario& scenario, std::size_t cells);

}  // namespace tune::campaign
