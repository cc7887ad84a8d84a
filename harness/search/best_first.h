#pragma once

#include "search/history.h"
#include "search/space.h"

#include <cstddef>
#include <vector>

namespace tune::search {

struct Scored {
  std::size_t cell = 0;
  double score = 0;  ///< on the log scale, higher is better
};

/// The cells, best first. Those within `tie` of the best one left are as good as it: the one with
/// the fewest changed knobs goes first, then the one with the least memory, then the better score.
std::vector<std::size_t> best_first(const Space& space,
                                    const History& history,
                                    std::vector<Scored> scored,
                                    double tie);

}  // namespace tune::search
