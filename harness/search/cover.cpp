#include "search/cover.h"

#include <algorithm>
#include <functional>
#include <set>

namespace tune::search {

namespace {

constexpr std::size_t kMostKnobs = 3;
constexpr std::size_t kMostCells = 32;

// Axis, level, axis, level, ...
using Combination = std::vector<std::size_t>;

std::vector<Combination> combinations(const std::vector<std::size_t>& cell, std::size_t strength) {
  std::vector<Combination> all;
  std::vector<bool> chosen(cell.size());
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(strength), true);
  do {
    Combination combination;
    for (std::size_t axis = 0; axis < cell.size(); ++axis) {
      if (chosen[axis]) {
        combination.push_back(axis);
        combination.push_back(cell[axis]);
      }
    }
    all.push_back(std::move(combination));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return all;
}

}  // namespace

std::size_t cover_strength(const Space& space) {
  std::vector<std::size_t> levels;
  for (const Axis& axis : space.axes) {
    levels.push_back(axis.values.size());
  }
  std::sort(levels.begin(), levels.end(), std::greater<>());
  std::size_t strength = 0;
  std::size_t least = 1;  // that many cells hold all combinations of the largest axes at best
  while (strength < std::min(kMostKnobs, levels.size())) {
    least *= levels[strength];
    if (least > std::min(space.cells.size() / 2, kMostCells)) {
      break;
    }
    ++strength;
  }
  return strength;
}

std::vector<std::size_t> cover(const Space& space,
                               const History& history,
                               const std::vector<std::size_t>& cells,
                               std::size_t count) {
  const std::size_t strength = cover_strength(space);
  std::set<Combination> seen;
  for (const Observation& observation : history.observations) {
    const auto held = combinations(space.cells[observation.cell], strength);
    seen.insert(held.begin(), held.end());
  }
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    std::size_t most = 0;
    std::size_t best = 0;
    for (const std::size_t cell : cells) {
      const auto held = combinations(space.cells[cell], strength);
      const auto unseen = static_cast<std::size_t>(std::count_if(
          held.begin(), held.end(), [&](const auto& each) { return !seen.contains(each); }));
      if (unseen > most) {
        most = unseen;
        best = cell;
      }
    }
    if (most == 0) {
      break;
    }
    chosen.push_back(best);
    const auto held = combinations(space.cells[best], strength);
    seen.insert(held.begin(), held.end());
  }
  return chosen;
}

}  // namespace tune::search
