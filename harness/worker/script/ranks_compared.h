#pragma once

#include "worker/script/step.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::script {

/// A sentence for each rank that the others wait for in the measured window, the slowest first:
/// "rank 2 takes 18% of a step longer than the other ranks (median): data wait 12ms, theirs 2ms".
/// Ranks end a step together, whoever is late: those that were early wait in the backward pass. So
/// what tells them apart is the time of a step before they wait. `ranks`: by number.
std::vector<std::string> stragglers(const std::vector<const GroupedNotes*>& ranks);

/// Why the rate is not that of all ranks; "" where it is. `world`: how many ranks the script has.
std::string missing_ranks(const std::vector<const GroupedNotes*>& ranks, std::int64_t world);

}  // namespace tune::script
