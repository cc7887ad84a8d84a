#pragma once

#include <cstdint>
#include <random>

namespace tune::stats {

/// Uniform in [0, count). Equal for one seed with every compiler and library, which
/// std::uniform_int_distribution is not. `count` must be above 0.
inline std::uint64_t uniform_index(std::mt19937_64& bits, std::uint64_t count) {
  // Of 2^64 values the first 2^64 mod count would make some indices more likely.
  const std::uint64_t surplus = (0 - count) % count;
  std::uint64_t drawn = bits();
  while (drawn < surplus) {
    drawn = bits();
  }
  return drawn % count;
}

}  // namespace tune::stats
