#pragma once

#include <cstdint>
#include <random>
#include <string_view>

namespace tune::noise {

/// Equal for one seed on every machine and with every standard library, unlike the distributions of
/// <random>.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : bits_(seed) {}
  double uniform();  ///< in (0, 1)
  double normal();   ///< mean 0, standard deviation 1 (Box and Muller)
  bool chance(double probability) { return uniform() < probability; }

 private:
  std::mt19937_64 bits_;
};

/// A seed of its own for something that has a name (FNV-1a).
std::uint64_t seed_of(std::uint64_t seed, std::string_view name);

}  // namespace tune::noise
