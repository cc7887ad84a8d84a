#pragma once

#include "dataset/draws.h"

#include <cstdint>
#include <vector>

namespace tune::dataset {

/// Draws tokens of which the k-th most frequent comes 1/k as often as the first. Which token that
/// is, is drawn by the seed: frequent ones shall not lie side by side in a table of embeddings.
class ZipfTokens {
 public:
  /// At most 65,536 different tokens, at least one.
  ZipfTokens(std::int64_t vocabulary, std::uint64_t seed);

  std::uint16_t draw(Draws& draws) const;

 private:
  std::vector<std::uint64_t> sums_;  // of the weights up to each rank
  std::vector<std::uint16_t> token_of_rank_;
};

}  // namespace tune::dataset
