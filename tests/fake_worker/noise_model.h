#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace tune::fake {

/// How the speed of equal trials differs. Standard deviations are relative: 0.01 is 1 %.
struct Noise {
  double slice_sd = 0;    ///< of each slice by itself, normal
  double process_sd = 0;  ///< of all slices of one process together, normal
};

/// Equal on every machine and with every standard library, unlike std::normal_distribution.
class NormalSource {
 public:
  explicit NormalSource(std::uint64_t seed) : bits_(seed) {}
  double next();

 private:
  std::mt19937_64 bits_;
};

/// A seed for one process, from the script's seed and the trial's id.
std::uint64_t mixed_seed(std::uint64_t seed, std::string_view id);

/// What each slice of a process is slowed (> 1) or sped up (< 1) by. Never below 0.1.
std::vector<double> slowdowns(const Noise& noise, std::uint64_t seed, std::size_t slices);

}  // namespace tune::fake
