#pragma once

#include "campaign/recorded_run.h"

#include <string>
#include <vector>

namespace tune::campaign {

/// What happened to a run directory since its trials ended, one sentence each: replies that were
/// lost, with what became of their trials, lines of the ledger that are left out, and a ledger that
/// was cut off. At most two handfuls.
std::vector<std::string> damage_warnings(const RecordedRun& run);

/// Some trial lost its reply and has not been run again.
bool has_lost_trials(const RecordedRun& run);

}  // namespace tune::campaign
