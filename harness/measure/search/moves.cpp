#include "measure/search/moves.h"

#include "base/stats/looks.h"
#include "base/stats/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
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

namespace {

constexpr std::size_t kLeastBlocks = 6;
constexpr double kLevel = 0.05;

std::map<std::int64_t, double> scores_of(const History& history, std::size_t cell) {
  std::map<std::int64_t, double> scores;
  for (const Observation& observation : history.observations) {
    if (observation.cell == cell) {
      scores[observation.block] = observation.score;
    }
  }
  return scores;
}

}  // namespace

std::vector<std::size_t> beaten_in_race(const History& history,
                                        std::size_t leader,
                                        const std::vector<std::size_t>& rivals) {
  const auto leading = scores_of(history, leader);
  std::vector<double> p_values;
  for (const std::size_t rival : rivals) {
    std::vector<double> ahead;
    for (const auto& [block, score] : scores_of(history, rival)) {
      const auto found = leading.find(block);
      if (found != leading.end()) {
        ahead.push_back(found->second - score);
      }
    }
    p_values.push_back(ahead.size() < kLeastBlocks ? 1 : stats::p_not_above(ahead, 0));
  }
  const std::vector<double> adjusted = stats::holm_adjusted(p_values);
  std::vector<std::size_t> beaten;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    if (rivals[i] != leader && adjusted[i] <= kLevel) {
      beaten.push_back(rivals[i]);
    }
  }
  return beaten;
}

namespace {

constexpr std::size_t kMostCompared = 100;

// E[max(0, x)] of a normal x.
double expected_improvement(double mean, double sd) {
  if (sd <= 0) {
    return std::max(0.0, mean);
  }
  const double z = mean / sd;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
  return mean * below + sd * density;
}

}  // namespace

std::vector<std::size_t> explore(const Field& field,
                                 const std::vector<Standing>& unmeasured,
                                 std::size_t count) {
  std::vector<Standing> rivals = unmeasured;
  std::stable_sort(rivals.begin(), rivals.end(), [](const Standing& a, const Standing& b) {
    return expected_improvement(a.behind, a.behind_sd) >
           expected_improvement(b.behind, b.behind_sd);
  });
  rivals.resize(std::min(rivals.size(), kMostCompared));
  std::vector<std::size_t> cells;
  cells.reserve(rivals.size());
  for (const Standing& rival : rivals) {
    cells.push_back(rival.cell);
  }
  SquareMatrix shared = field.model.covariance_against(field.leader, cells);
  const double noise = field.model.trial_variance(1);
  std::vector<double> left(cells.size(), 1);  // of each variance, after the trials chosen so far
  std::vector<std::size_t> chosen;
  while (chosen.size() < std::min(count, cells.size())) {
    std::size_t best = cells.size();
    double most = -1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double sd = rivals[i].behind_sd * std::sqrt(left[i]);
      const double improvement = left[i] > 0 ? expected_improvement(rivals[i].behind, sd) : -1;
      if (improvement > most) {
        most = improvement;
        best = i;
      }
    }
    if (best == cells.size()) {
      break;
    }
    chosen.push_back(cells[best]);
    const std::vector<double> column(shared.row(best), shared.row(best) + shared.size);
    const double total = column[best] + noise;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double before = shared.at(i, i);
      for (std::size_t j = 0; j < cells.size(); ++j) {
        shared.at(i, j) -= column[i] * column[j] / total;
      }
      left[i] *= before > 0 ? std::clamp(shared.at(i, i) / before, 1e-9, 1.0) : 1.0;
    }
    left[best] = 0;
  }
  return chosen;
}

}  // namespace tune::search
