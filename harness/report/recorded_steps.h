#pragma once

#include "measure/campaign/campaign_result.h"
#include "trace/partition.h"

#include <string>

namespace tune::report {

/// Where the time of a cell's recorded steps goes; null where none were recorded, or where
/// recording stretched them too much. Points into the result.
const profile::Partition* recorded_steps(const campaign::CampaignResult& result,
                                         const std::string& cell);

/// Exposed time by role of a mean step, ns. Of a partition without steps: zeros.
profile::RoleTimes mean_exposed_ns(const profile::Partition& partition);

}  // namespace tune::report
