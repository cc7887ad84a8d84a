#pragma once

#include "search/history.h"
#include "search/space.h"

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

}  // namespace tune::search
