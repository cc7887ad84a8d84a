#pragma once

#include "campaign/recorded_run.h"

#include <string>

namespace tune::cli {

/// report.html of a run that goes on, of the trials that have ended: what `tune report` would make
/// of its directory now, but for the history. `sitting` is the one that goes on; `rules` is a
/// folder of the user's own, or "". Throws tune::Error as ask_rules() does (run_rules.h).
std::string live_report(const campaign::RecordedRun& run,
                        campaign::Sitting sitting,
                        const std::string& rules);

}  // namespace tune::cli
