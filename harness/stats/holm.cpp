#include "stats/holm.h"

#include "base/assert.h"
#include "stats/ascending.h"

#include <algorithm>

namespace tune::stats {

std::vector<double> holm_adjusted(const std::vector<double>& p_values) {
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  std::size_t left = p_values.size();
  for (const std::size_t row : ascending(p_values)) {
    largest = std::max(largest, p_values[row] * static_cast<double>(left--));
    adjusted[row] = std::min(1.0, largest);
  }
  return adjusted;
}

std::vector<std::size_t> holm_called(const std::vector<double>& open_p_values,
                                     const HolmFamily& family) {
  TUNE_ASSERT(open_p_values.size() + family.called <= family.rows);
  std::vector<std::size_t> called;
  std::size_t left = family.rows - family.called;
  for (const std::size_t row : ascending(open_p_values)) {
    if (open_p_values[row] > family.level / static_cast<double>(left--)) {
      break;
    }
    called.push_back(row);
  }
  return called;
}

}  // namespace tune::stats
