#pragma once

#include "measure/search/history.h"
#include "measure/search/space.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::search {

/// The `count` cells out of `open` whose trials would tell most about all of `open`: one after the
/// other the cell that takes most off the sum of all variances, given what has been measured and
/// under the usual assumptions about main effects and interactions. Favoured cells come first.
/// Equally good cells are chosen by the seed.
std::vector<std::size_t> screening_design(const Space& space,
                                          const History& history,
                                          const std::vector<std::size_t>& open,
                                          std::size_t count,
                                          std::uint64_t seed);

}  // namespace tune::search
