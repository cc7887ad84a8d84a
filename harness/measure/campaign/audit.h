#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/progress.h"
#include "measure/campaign/recorded_run.h"

#include <optional>

namespace tune::campaign {

/// How good the search was, as far as its audit has come: what it would have put first against the
/// best of all cells, both by the median gain over the audit's rounds, and what each of the two
/// took. Nothing where no audit was asked for.
std::optional<Audit> audit_of(const RecordedRun& run, const Progress& progress);

}  // namespace tune::campaign
