#pragma once

#include "search/cholesky.h"
#include "search/likeness.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::search {

/// One score that the model learns from.
struct Observation {
  std::size_t cell = 0;
  std::int64_t block = 0;
  std::int64_t slices = 1;
  double score = 0;
  double doubt = 1;  ///< times its noise: above 1 where it looks like a stall
};

/// Variance of a trial's own noise: what its process keeps for its whole life (layout, allocator)
/// does not average out over slices, the rest does.
double noise_variance(const Observation& observation, const Assumptions& assumptions);

/// Covariance of all observations: cells, blocks, noise, and a constant that is left open.
SquareMatrix covariance(const Likeness& likeness,
                        const std::vector<Observation>& observations,
                        const Assumptions& assumptions);

}  // namespace tune::search
