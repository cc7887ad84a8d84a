#include "search/model.h"

#include "stats/median.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::search {

namespace {

constexpr double kStallDeviations = 3.5;
constexpr double kStallDoubt = 5;
constexpr double kLeastUsual = 0.25;
constexpr double kDeviationOfMedian = 1.4826;  // a normal sd per median of absolute values
constexpr std::size_t kLeastToDoubt = 6;

std::vector<double> scores_of(const std::vector<Observation>& observations) {
  std::vector<double> scores;
  scores.reserve(observations.size());
  for (const Observation& observation : observations) {
    scores.push_back(observation.score);
  }
  return scores;
}

}  // namespace

Model::Model(const Space& space, std::vector<Observation> observations)
    : likeness_(space), observations_(std::move(observations)) {
  if (!observations_.empty()) {
    const double middle = stats::median(scores_of(observations_));
    for (Observation& observation : observations_) {
      observation.score -= middle;
    }
  }
  look(fit_assumptions(likeness_, observations_));
  if (doubt_stalls()) {
    look(fit_assumptions(likeness_, observations_));
  }
}

void Model::look(const std::vector<WeightedAssumptions>& plausible) {
  views_.clear();
  for (const auto& [assumptions, weight] : plausible) {
    Cholesky factor(covariance(likeness_, observations_, assumptions));
    std::vector<double> solved = factor.solved(scores_of(observations_));
    views_.push_back({assumptions, weight, std::move(factor), std::move(solved)});
  }
}

bool Model::doubt_stalls() {
  const View& view = views_.front();
  const std::vector<double> diagonal = view.factor.inverse_diagonal();
  // Each score minus what all the others predict, in standard deviations of that prediction. A
  // stall makes the fitted noise larger and hides behind it: so it is compared with the usual
  // deviation.
  std::vector<double> deviations;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < observations_.size(); ++i) {
    deviations.push_back(view.solved_scores[i] / std::sqrt(diagonal[i]));
    sizes.push_back(std::abs(deviations.back()));
  }
  if (observations_.size() < kLeastToDoubt) {
    return false;
  }
  const double usual = std::clamp(kDeviationOfMedian * stats::median(sizes), kLeastUsual, 1.0);
  bool found = false;
  for (std::size_t i = 0; i < observations_.size(); ++i) {
    if (deviations[i] < -kStallDeviations * usual) {
      observations_[i].doubt = kStallDoubt;
      found = true;
    }
  }
  return found;
}

std::vector<double> Model::contrast(const View& view,
                                    std::size_t cell,
                                    std::size_t reference) const {
  std::vector<double> difference;
  difference.reserve(observations_.size());
  for (const Observation& observation : observations_) {
    difference.push_back(likeness_.covariance(cell, observation.cell, view.assumptions) -
                         likeness_.covariance(reference, observation.cell, view.assumptions));
  }
  return difference;
}

std::vector<Belief> Model::against(std::size_t reference,
                                   const std::vector<std::size_t>& cells) const {
  std::vector<Belief> beliefs;
  for (const std::size_t cell : cells) {
    double mean = 0;
    double square = 0;
    for (const View& view : views_) {
      std::vector<double> known = contrast(view, cell, reference);
      double expected = 0;
      for (std::size_t i = 0; i < known.size(); ++i) {
        expected += known[i] * view.solved_scores[i];
      }
      double variance = likeness_.covariance(cell, cell, view.assumptions) +
                        likeness_.covariance(reference, reference, view.assumptions) -
                        2 * likeness_.covariance(cell, reference, view.assumptions);
      for (const double value : view.factor.whitened(std::move(known))) {
        variance -= value * value;
      }
      mean += view.weight * expected;
      square += view.weight * (std::max(variance, 0.0) + expected * expected);
    }
    beliefs.push_back({mean, std::sqrt(std::max(square - mean * mean, 0.0))});
  }
  return beliefs;
}

SquareMatrix Model::covariance_against(std::size_t reference,
                                       const std::vector<std::size_t>& cells) const {
  const View& view = views_.front();
  std::vector<std::vector<double>> known;
  known.reserve(cells.size());
  for (const std::size_t cell : cells) {
    known.push_back(view.factor.whitened(contrast(view, cell, reference)));
  }
  const auto prior = [&](std::size_t a, std::size_t b) {
    return likeness_.covariance(a, b, view.assumptions);
  };
  SquareMatrix result(cells.size());
  for (std::size_t a = 0; a < cells.size(); ++a) {
    for (std::size_t b = a; b < cells.size(); ++b) {
      double value = prior(cells[a], cells[b]) - prior(cells[a], reference) -
                     prior(cells[b], reference) + prior(reference, reference);
      for (std::size_t i = 0; i < observations_.size(); ++i) {
        value -= known[a][i] * known[b][i];
      }
      result.at(a, b) = value;
      result.at(b, a) = value;
    }
  }
  return result;
}

double Model::trial_variance(std::int64_t slices) const {
  return noise_variance({.slices = slices}, views_.front().assumptions);
}

}  // namespace tune::search
