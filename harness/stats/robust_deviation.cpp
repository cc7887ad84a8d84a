#include "stats/robust_deviation.h"

#include "stats/median.h"

#include <cmath>

namespace tune::stats {

double robust_deviation(const std::vector<double>& samples) {
  const double middle = median(samples);
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (const double sample : samples) {
    distances.push_back(std::abs(sample - middle));
  }
  return 1.4826 * median(std::move(distances));
}

}  // namespace tune::stats
