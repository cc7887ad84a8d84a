#pragma once

#include "search/history.h"

#include <cstddef>
#include <vector>

namespace tune::search {

/// Cells among `rivals` that are slower than the leader by the exact signed-rank test on their
/// differences within blocks, Holm's correction over the rivals at .05. Only from six blocks on
/// that the leader and the rival share: with fewer no pattern of signs is rare enough.
std::vector<std::size_t> beaten_in_race(const History& history,
                                        std::size_t leader,
                                        const std::vector<std::size_t>& rivals);

}  // namespace tune::search
