#pragma once

#include "campaign/campaign_result.h"
#include "campaign/recorded_run.h"

#include <string>
#include <vector>

namespace tune::campaign {

/// What somebody should know before the numbers of a run are trusted: settings that failed, replies
/// that were lost, variables that were kept from the workers, other work on the CPUs.
std::vector<std::string> run_warnings(const RecordedRun& run, const std::vector<CellResult>& cells);

}  // namespace tune::campaign
