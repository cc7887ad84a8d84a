#include "stats/benjamini_hochberg.h"

#include "stats/ascending.h"

#include <algorithm>

namespace tune::stats {

std::vector<double> benjamini_hochberg_adjusted(const std::vector<double>& p_values) {
  std::vector<double> adjusted(p_values.size());
  const std::vector<std::size_t> order = ascending(p_values);
  const auto rows = static_cast<double>(p_values.size());
  double smallest = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t row = order[rank - 1];
    smallest = std::min(smallest, p_values[row] * rows / static_cast<double>(rank));
    adjusted[row] = smallest;
  }
  return adjusted;
}

}  // namespace tune::stats
