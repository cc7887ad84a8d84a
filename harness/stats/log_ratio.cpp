#include "stats/log_ratio.h"

#include "base/assert.h"
#include "stats/median.h"

#include <cmath>

namespace tune::stats {

double log_ratio(double candidate, double baseline) {
  TUNE_ASSERT(candidate > 0 && baseline > 0);
  return std::log(candidate / baseline);
}

double gain_of(double log_ratio) {
  return std::expm1(log_ratio);
}

double median_ratio(const std::vector<double>& ratios) {
  std::vector<double> logs;
  logs.reserve(ratios.size());
  for (const double ratio : ratios) {
    logs.push_back(log_ratio(ratio, 1));
  }
  return std::exp(median(std::move(logs)));
}

}  // namespace tune::stats
