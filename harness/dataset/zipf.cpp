#include "dataset/zipf.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tune::dataset {

namespace {

constexpr std::uint64_t kPermutation = 1;  // what a branch of the draws is for

// In [0, bound), which is far below 2^64, so that the bias is too.
std::uint64_t below(std::uint64_t bound, Draws& draws) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(draws.bits()) * bound) >> 64);
}

}  // namespace

ZipfTokens::ZipfTokens(std::int64_t vocabulary, std::uint64_t seed)
    : sums_(static_cast<std::size_t>(vocabulary)), token_of_rank_(sums_.size()) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 32;  // whole numbers: libm differs
  std::uint64_t sum = 0;
  for (std::size_t rank = 0; rank < sums_.size(); ++rank) {
    sum += kFirst / (rank + 1);
    sums_[rank] = sum;
  }
  std::iota(token_of_rank_.begin(), token_of_rank_.end(), std::uint16_t{0});
  Draws draws = Draws(seed).branch(kPermutation);
  for (std::size_t last = token_of_rank_.size() - 1; last > 0; --last) {
    std::swap(token_of_rank_[last],
              token_of_rank_[static_cast<std::size_t>(below(last + 1, draws))]);
  }
}

std::uint16_t ZipfTokens::draw(Draws& draws) const {
  const auto rank = std::upper_bound(sums_.begin(), sums_.end(), below(sums_.back(), draws));
  return token_of_rank_[static_cast<std::size_t>(rank - sums_.begin())];
}

}  // namespace tune::dataset
