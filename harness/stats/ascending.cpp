#include "stats/ascending.h"

#include <algorithm>
#include <numeric>

namespace tune::stats {

std::vector<std::size_t> ascending(const std::vector<double>& values) {
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t left, std::size_t right) {
    return values[left] < values[right];
  });
  return places;
}

}  // namespace tune::stats
