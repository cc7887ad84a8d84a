#pragma once

#include <algorithm>
#include <cstddef>

namespace tune::simulation {

/// How many simulations a test runs: a tenth where a sanitizer makes each ten times as slow. What
/// is proven by many is proven by the usual build.
inline std::size_t repeats(std::size_t usual) {
#ifdef TUNE_SIMULATES_LITTLE
  return std::max<std::size_t>(1, usual / 10);
#else
  return usual;
#endif
}

}  // namespace tune::simulation
