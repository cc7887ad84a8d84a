#pragma once

#include "campaign/campaign_result.h"
#include "campaign/recorded_run.h"

#include <string>
#include <vector>

namespace tune::campaign {

/// What a reader must know before trusting the numbers, as far as the trials tell: settings that
/// failed, or that were paired and break a constraint, damaged files, variables that were kept from
/// the workers, images that are not read, disturbances, trials that were not steady, a cold page cache, epochs that take
/// other times than computed. One sentence each, without its full stop. Of `result`, the cells,
/// trials, pairs, ladder and epochs must be there.
std::vector<std::string> run_warnings(const RecordedRun& run, const CampaignResult& result);

/// What the loader of the trials did not read of the user's images; "" where it read all.
std::string unread_images_text(const std::vector<TrialRecord>& trials);

}  // namespace tune::campaign
