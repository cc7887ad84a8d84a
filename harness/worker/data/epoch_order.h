#pragma once

#include <cstdint>
#include <vector>

namespace tune::worker {

/// The order of the samples in one epoch: a permutation of 0 ... samples-1 that depends on the seed
/// and the epoch alone, so that neither the number of workers nor a restart changes it.
std::vector<std::int64_t> epoch_order(std::uint64_t seed, std::int64_t epoch, std::int64_t samples);

}  // namespace tune::worker
