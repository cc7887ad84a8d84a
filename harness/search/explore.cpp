#include "search/explore.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tune::search {

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
