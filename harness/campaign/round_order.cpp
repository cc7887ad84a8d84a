#include "campaign/round_order.h"

#include <numeric>
#include <random>
#include <utility>

namespace tune::campaign {

namespace {

// The finaliser of SplitMix64: neighbouring inputs give unrelated outputs.
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

}  // namespace

std::vector<std::size_t> round_order(std::size_t cells, std::uint64_t seed) {
  std::vector<std::size_t> order(cells);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  for (std::size_t left = cells; left > 1; --left) {  // std::shuffle differs between libraries
    std::swap(order[left - 1], order[random() % left]);
  }
  return order;
}

std::uint64_t round_seed(std::uint64_t campaign_seed, std::string_view stage, std::int64_t round) {
  std::uint64_t seed = scramble(campaign_seed);
  for (const char letter : stage) {
    seed = scramble(seed ^ static_cast<unsigned char>(letter));
  }
  return scramble(seed ^ static_cast<std::uint64_t>(round));
}

bool baseline_first(std::uint64_t campaign_seed, std::int64_t round) {
  const std::int64_t block = (round - 1) / 2;
  const bool coin = (round_seed(campaign_seed, "pairs", block) >> 63) != 0;
  return round % 2 == 1 ? coin : !coin;
}

}  // namespace tune::campaign
