#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tune::campaign {

/// Order in which one round visits the cells; the same seed gives the same order on every machine.
std::vector<std::size_t> round_order(std::size_t cells, std::uint64_t seed);

/// The seed of one round, from that of the campaign: rounds and stages are independent of one
/// another.
std::uint64_t round_seed(std::uint64_t campaign_seed, std::string_view stage, std::int64_t round);

/// True when the baseline goes first in this round of pairs, from 1. Rounds come in blocks of two:
/// a fair coin for the first, the other way round for the second (ABBA or BAAB), so that a drift
/// that is linear in time cancels.
bool baseline_first(std::uint64_t campaign_seed, std::int64_t round);

}  // namespace tune::campaign
