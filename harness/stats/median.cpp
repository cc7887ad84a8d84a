#include "stats/median.h"

#include "base/assert.h"

#include <algorithm>

namespace tune::stats {

double median(std::vector<double> samples) {
  TUNE_ASSERT(!samples.empty());
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 == 1) {
    return *middle;
  }
  return (*middle + *std::max_element(samples.begin(), middle)) / 2;
}

}  // namespace tune::stats
