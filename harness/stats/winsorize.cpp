#include "stats/winsorize.h"

#include "stats/median.h"
#include "stats/robust_deviation.h"

#include <algorithm>

namespace tune::stats {

namespace {

constexpr std::size_t kHalfWindow = 10;
constexpr double kLimit = 4;
constexpr double kSmallest = 1e-9;  // where most values of a window are equal

}  // namespace

std::vector<double> winsorize(const std::vector<double>& values) {
  std::vector<double> limited;
  limited.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i - std::min(i, kHalfWindow);
    const std::size_t last = std::min(values.size() - 1, i + kHalfWindow);
    const std::vector<double> window(values.begin() + static_cast<std::ptrdiff_t>(first),
                                     values.begin() + static_cast<std::ptrdiff_t>(last + 1));
    const double middle = median(window);
    const double reach = kLimit * (robust_deviation(window) + kSmallest);
    limited.push_back(std::clamp(values[i], middle - reach, middle + reach));
  }
  return limited;
}

}  // namespace tune::stats
