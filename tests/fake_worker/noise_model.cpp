#include "noise_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tune::fake {

double NormalSource::next() {  // Box and Muller
  const auto uniform = [this] {
    return (static_cast<double>(bits_() >> 11U) + 0.5) / 9007199254740992.0;  // 2^53
  };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t mixed_seed(std::uint64_t seed, std::string_view id) {
  std::uint64_t hash = 14695981039346656037U ^ seed;  // FNV-1a
  for (const char c : id) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return hash;
}

std::vector<double> slowdowns(const Noise& noise, std::uint64_t seed, std::size_t slices) {
  NormalSource normal(seed);
  const double process = noise.process_sd * normal.next();
  std::vector<double> factors(slices);
  for (double& factor : factors) {
    factor = std::max(0.1, 1 + process + noise.slice_sd * normal.next());
  }
  return factors;
}

}  // namespace tune::fake
