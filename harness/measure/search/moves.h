#pragma once

#include "measure/search/history.h"
#include "measure/search/space.h"
#include "measure/search/standings.h"

#include <cstddef>
#include <vector>

namespace tune::search {

/// How many knobs at a time a search should have seen in all their combinations: three, or fewer
/// where that alone would take more than half of the cells, or more than 32 of them.
std::size_t cover_strength(const Space& space);

/// Up to `count` of `cells` that together hold most combinations of levels of that many knobs which
/// no trial had yet; none where all have been seen. A model that learned that each of two knobs
/// costs something does not expect both together to pay: only a trial can tell.
std::vector<std::size_t> cover(const Space& space,
                               const History& history,
                               const std::vector<std::size_t>& cells,
                               std::size_t count);

/// Cells among `rivals` that are slower than the leader by the exact signed-rank test on their
/// differences within blocks, Holm's correction over the rivals at .05. Only from six blocks on
/// that the leader and the rival share: with fewer no pattern of signs is rare enough.
std::vector<std::size_t> beaten_in_race(const History& history,
                                        std::size_t leader,
                                        const std::vector<std::size_t>& rivals);

/// The `count` cells to measure next, among those that were never measured and may beat the leader:
/// the largest expected improvement, less what the cells chosen before will reveal about them.
std::vector<std::size_t> explore(const Field& field,
                                 const std::vector<Standing>& unmeasured,
                                 std::size_t count);

}  // namespace tune::search
