#pragma once

#include "measure/search/history.h"
#include "measure/search/next_decision.h"
#include "measure/search/space.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tune::search {

/// Every cell in each of `rounds` blocks; nothing after them.
std::optional<Block> grid_block(const Space& space,
                                const History& before,
                                const Policy& policy,
                                std::int64_t number);

/// A seeded order of the cells without repetition, a few and the baseline in each block; then
/// again, `rounds` times in all.
std::optional<Block> random_block(const Space& space,
                                  const History& before,
                                  const Policy& policy,
                                  std::int64_t number);

/// By the median gain over the baseline of the same block; where a block has none (yet), over what
/// its other cells gained elsewhere.
std::vector<std::size_t> whole_candidates(const Space& space,
                                          const History& history,
                                          const Policy& policy);

}  // namespace tune::search
