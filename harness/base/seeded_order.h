#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tune {

/// The numbers below `count`, in an order that depends only on the seed, not on the machine or the
/// standard library.
std::vector<std::size_t> seeded_order(std::size_t count, std::uint64_t seed);

/// A seed for one purpose and index (a round, a block), independent of all others of this seed.
std::uint64_t derived_seed(std::uint64_t seed, std::string_view purpose, std::int64_t index);

/// seeded_order with the derived seed.
std::vector<std::size_t> seeded_order(std::size_t count,
                                      std::uint64_t seed,
                                      std::string_view purpose,
                                      std::int64_t index);

}  // namespace tune
