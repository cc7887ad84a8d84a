#include "base/seeded_order.h"

#include <numeric>
#include <random>
#include <utility>

namespace tune {

namespace {

// The finaliser of SplitMix64: neighbouring inputs give unrelated outputs.
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

}  // namespace

std::vector<std::size_t> seeded_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  for (std::size_t left = count; left > 1; --left) {  // std::shuffle differs between libraries
    std::swap(order[left - 1], order[random() % left]);
  }
  return order;
}

std::uint64_t derived_seed(std::uint64_t seed, std::string_view purpose, std::int64_t index) {
  std::uint64_t state = scramble(seed);
  for (const char letter : purpose) {
    state = scramble(state ^ static_cast<unsigned char>(letter));
  }
  return scramble(state ^ static_cast<std::uint64_t>(index));
}

std::vector<std::size_t> seeded_order(std::size_t count,
                                      std::uint64_t seed,
                                      std::string_view purpose,
                                      std::int64_t index) {
  return seeded_order(count, derived_seed(seed, purpose, index));
}

}  // namespace tune
