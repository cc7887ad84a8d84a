#include "random_stream.h"

#include <cmath>
#include <numbers>

namespace tune::noise {

double RandomStream::uniform() {
  return (static_cast<double>(bits_() >> 11U) + 0.5) / 9007199254740992.0;  // 2^53
}

double RandomStream::normal() {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t seed_of(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 14695981039346656037U ^ seed;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  }
  return hash;
}

}  // namespace tune::noise
