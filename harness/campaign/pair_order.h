#pragma once

#include <cstdint>

namespace tune::campaign {

/// True when the baseline goes first in this round of pairs, from 1. Rounds come in blocks of two:
/// a fair coin for the first, the other way round for the second (ABBA or BAAB), so that a drift
/// that is linear in time cancels.
bool baseline_first(std::uint64_t campaign_seed, std::int64_t round);

}  // namespace tune::campaign
