#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/recorded_run.h"

#include <string>
#include <vector>

namespace tune::campaign {

/// Which cells were measured where, one entry a shard, then one for what ran after they were
/// joined. Of a shard's own run one entry; of any other run none.
std::vector<MeasuredPart> measured_parts(const RecordedRun& run);

/// "node1", "node1 and node2", "a machine without a name".
std::string host_words(const MeasuredPart& part);

/// Warnings about a joined run: which cells were measured where and which of them compare; how far
/// apart the baselines of the machines are; how machines of one class still differ.
std::vector<std::string> parts_warnings(const CampaignResult& result);

}  // namespace tune::campaign
