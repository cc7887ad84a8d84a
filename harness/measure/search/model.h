#pragma once

#include "measure/search/likeness.h"
#include "measure/search/space.h"

#include <cstddef>
#include <vector>

namespace tune::search {

struct WeightedAssumptions {
  Assumptions assumptions;
  double weight = 0;  ///< all weights add up to 1
};

/// The assumptions under which the scores are likely, by marginal likelihood times a weak prior:
/// a climb over a grid of steps from the usual ones, and of the places it has seen the few best.
/// More than one, because a dozen scores do not say which knob matters: what differs between them
/// is part of what is not known yet. `observations` are centred; may be none.
std::vector<WeightedAssumptions> fit_assumptions(const Likeness& likeness,
                                                 const std::vector<Observation>& observations);

/// What is believed about a difference of two scores.
struct Belief {
  double mean = 0;
  double sd = 0;
};

/// A Gaussian process on ln of the rate: cells by their likeness, a shift that the trials of a
/// block share, noise that falls with the slices. It predicts cells that were never measured, and
/// says how sure it is. A score far below what all others say is taken for a stall and believed
/// less (stalls only slow down; a score far above is a discovery).
class Model {
 public:
  Model(const Space& space, std::vector<Observation> observations);

  /// Score of each cell minus that of `reference`.
  std::vector<Belief> against(std::size_t reference, const std::vector<std::size_t>& cells) const;

  /// Covariances between such differences under the likeliest assumptions: cells.size() squared.
  SquareMatrix covariance_against(std::size_t reference,
                                  const std::vector<std::size_t>& cells) const;

  /// Noise variance of one more trial of that many slices, under the likeliest assumptions.
  double trial_variance(std::int64_t slices) const;

 private:
  // The model under one of the plausible sets of assumptions.
  struct View {
    Assumptions assumptions;
    double weight = 1;
    Cholesky factor;
    std::vector<double> solved_scores;
  };

  void look(const std::vector<WeightedAssumptions>& plausible);
  bool doubt_stalls();
  std::vector<double> contrast(const View& view, std::size_t cell, std::size_t reference) const;

  Likeness likeness_;
  std::vector<Observation> observations_;
  std::vector<View> views_;
};

}  // namespace tune::search
