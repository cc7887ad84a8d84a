#include "measure/search/screening_design.h"

#include "base/seeded_order.h"
#include "measure/search/cholesky.h"
#include "measure/search/likeness.h"

#include <algorithm>

namespace tune::search {

namespace {

// How the cells vary together, given the trials so far.
class Variances {
 public:
  Variances(const Space& space, const std::vector<std::size_t>& cells)
      : assumptions_(usual_assumptions(space.axes.size())), values_(cells.size()) {
    const Likeness likeness(space);
    for (std::size_t a = 0; a < cells.size(); ++a) {
      for (std::size_t b = a; b < cells.size(); ++b) {
        const double value = likeness.covariance(cells[a], cells[b], assumptions_);
        values_.at(a, b) = value;
        values_.at(b, a) = value;
      }
    }
  }

  // How much less the variances add up to after a trial of the cell.
  double gain(std::size_t cell) const {
    const double* const row = values_.row(cell);
    double sum = 0;
    for (std::size_t other = 0; other < values_.size; ++other) {
      sum += row[other] * row[other];
    }
    return sum / (row[cell] + noise());
  }

  void measure(std::size_t cell) {
    const std::vector<double> column(values_.row(cell), values_.row(cell) + values_.size);
    const double total = column[cell] + noise();
    for (std::size_t a = 0; a < values_.size; ++a) {
      const double factor = column[a] / total;
      double* const row = values_.row(a);
      for (std::size_t b = 0; b < values_.size; ++b) {
        row[b] -= factor * column[b];
      }
    }
  }

 private:
  double noise() const { return noise_variance({}, assumptions_); }

  Assumptions assumptions_;
  SquareMatrix values_;
};

}  // namespace

std::vector<std::size_t> screening_design(const Space& space,
                                          const History& history,
                                          const std::vector<std::size_t>& open,
                                          std::size_t count,
                                          std::uint64_t seed) {
  // Seeded order decides between equals: the first of them wins below.
  std::vector<std::size_t> cells;
  for (const std::size_t place : seeded_order(open.size(), seed, "screening", 0)) {
    cells.push_back(open[place]);
  }
  Variances variances(space, cells);
  std::vector<bool> taken(cells.size());
  const auto take = [&](std::size_t place) {
    variances.measure(place);
    taken[place] = true;
  };
  for (std::size_t place = 0; place < cells.size(); ++place) {
    if (cells[place] == 0 || history.measured(cells[place])) {  // the baseline is in every block
      take(place);
    }
  }
  std::vector<std::size_t> chosen;
  for (const std::size_t cell : space.favoured) {
    const auto place =
        static_cast<std::size_t>(std::find(cells.begin(), cells.end(), cell) - cells.begin());
    if (chosen.size() < count && place < cells.size() && !taken[place]) {
      take(place);
      chosen.push_back(cell);
    }
  }
  while (chosen.size() < count) {
    std::size_t best = cells.size();
    double most = 0;
    for (std::size_t place = 0; place < cells.size(); ++place) {
      const double gain = taken[place] ? 0 : variances.gain(place);
      if (gain > most * (1 + 1e-9)) {
        most = gain;
        best = place;
      }
    }
    if (best == cells.size()) {
      break;
    }
    take(best);
    chosen.push_back(cells[best]);
  }
  return chosen;
}

}  // namespace tune::search
