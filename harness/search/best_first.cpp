#include "search/best_first.h"

#include <algorithm>
#include <tuple>

namespace tune::search {

namespace {

std::int64_t memory_of(const CellState& state) {
  std::vector<std::int64_t> peaks = state.peak_memory_bytes;
  if (peaks.empty()) {
    return 0;
  }
  const auto middle = peaks.begin() + static_cast<std::ptrdiff_t>(peaks.size() / 2);
  std::nth_element(peaks.begin(), middle, peaks.end());
  return *middle;
}

}  // namespace

std::vector<std::size_t> best_first(const Space& space,
                                    const History& history,
                                    std::vector<Scored> scored,
                                    double tie) {
  const auto rank = [&](const Scored& each) {
    return std::tuple(changed_knobs(space, each.cell),
                      memory_of(history.cells[each.cell]),
                      -each.score,
                      each.cell);
  };
  std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
    return std::tuple(-a.score, a.cell) < std::tuple(-b.score, b.cell);
  });
  std::vector<std::size_t> order;
  while (!scored.empty()) {
    auto tied = scored.begin();
    while (tied != scored.end() && tied->score >= scored.front().score - tie) {
      ++tied;
    }
    const auto first = std::min_element(
        scored.begin(), tied, [&](const Scored& a, const Scored& b) { return rank(a) < rank(b); });
    order.push_back(first->cell);
    scored.erase(first);
  }
  return order;
}

}  // namespace tune::search
