#pragma once

#include "campaign/trial_record.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::campaign {

/// The fastest slice by its core probes (trial/trial_reply.h), ns, of the last four processes
/// of this cell in this stage: one that had a busy neighbour all the time cannot see that by
/// itself. Four only, for the clock of a laptop that gets warm is lower for good; of one cell, for
/// what a setting does to its own cores is part of what it costs. 0: not known.
std::int64_t fastest_core_probe_ns(const std::vector<TrialRecord>& trials,
                                   const std::string& cell,
                                   const std::string& stage);

}  // namespace tune::campaign
