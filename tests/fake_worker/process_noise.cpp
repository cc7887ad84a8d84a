#include "process_noise.h"

#include <cmath>

namespace tune::fake {

ProcessNoise::ProcessNoise(const noise::Environment& environment, std::uint64_t seed)
    : environment_(environment),
      random_(seed),
      offset_(noise::draw_process_offset(environment_, random_)) {}

std::vector<double> ProcessNoise::next_block(std::int64_t first, std::int64_t steps, double drift) {
  const double whole = std::exp(drift + offset_ + noise::draw_slice(environment_, random_));
  const double step_sd = environment_.slice_sd * std::sqrt(static_cast<double>(steps));
  std::vector<double> factors(static_cast<std::size_t>(steps));
  double mean = 0;
  for (double& factor : factors) {
    factor = step_sd > 0 ? std::exp(step_sd * random_.normal()) : 1;
    mean += factor / static_cast<double>(steps);
  }
  auto step = static_cast<double>(first);
  for (double& factor : factors) {
    factor *= whole / mean * std::exp(noise::ageing_at(environment_, step));
    ++step;
  }
  return factors;
}

}  // namespace tune::fake
