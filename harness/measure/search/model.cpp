#include "measure/search/model.h"

#include "base/stats/quantile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tune::search {

namespace {

constexpr std::size_t kMostObservations = 56;  // that the climb looks at; a step costs their cube
constexpr std::size_t kMostSweeps = 4;
constexpr std::size_t kMostKept = 5;
constexpr std::size_t kManyObservations = 100;  // that leave little doubt, and cost time
constexpr std::size_t kMostKeptOfMany = 2;
constexpr double kLeastRelativeWeight = 0.05;

// Every assumption is one of a few values, and has a log-normal prior.
struct Ladder {
  std::vector<double> rungs;
  double prior_median;
  double prior_log_sd;
};

const Ladder kSignal{{0.01, 0.03, 0.1, 0.3, 1.0}, 0.3, 1.5};
const Ladder kOwn{{0.002, 0.006, 0.02, 0.06, 0.2}, 0.01, 1.2};
const Ladder kNoise{{0.004, 0.008, 0.016, 0.032, 0.064, 0.128}, 0.015, 1.0};
const Ladder kBlock{{0.004, 0.012, 0.036, 0.108}, 0.015, 1.2};
const Ladder kWeight{{0.003, 0.03, 0.12, 0.4, 1.0}, 0.1, 1.5};

constexpr std::size_t kScales = 4;  // before the weights of the axes

const Ladder& ladder(std::size_t coordinate) {
  static const std::array<const Ladder*, kScales> scales = {&kSignal, &kOwn, &kNoise, &kBlock};
  return coordinate < kScales ? *scales[coordinate] : kWeight;
}

using Place = std::vector<std::size_t>;  // a rung on every ladder

Assumptions at(const Place& place) {
  const auto value = [&](std::size_t i) { return ladder(i).rungs[place[i]]; };
  Assumptions assumptions{value(0), value(1), value(2), value(3), {}};
  for (std::size_t i = kScales; i < place.size(); ++i) {
    assumptions.weights.push_back(value(i));
  }
  return assumptions;
}

double log_prior(const Place& place) {
  double sum = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    const Ladder& steps = ladder(i);
    const double z = std::log(steps.rungs[place[i]] / steps.prior_median) / steps.prior_log_sd;
    sum -= z * z / 2;
  }
  return sum;
}

double log_likelihood(const Likeness& likeness,
                      const std::vector<Observation>& observations,
                      const Assumptions& assumptions) {
  const Cholesky factor(covariance(likeness, observations, assumptions));
  std::vector<double> scores;
  scores.reserve(observations.size());
  for (const Observation& observation : observations) {
    scores.push_back(observation.score);
  }
  double squares = 0;
  for (const double value : factor.whitened(std::move(scores))) {
    squares += value * value;
  }
  return -squares / 2 - factor.half_log_determinant();
}

// The last trial of every cell, then the earliest others: levels first, then noise.
std::vector<Observation> most_telling(const std::vector<Observation>& observations) {
  if (observations.size() <= kMostObservations) {
    return observations;
  }
  std::vector<Observation> kept;
  std::vector<Observation> others;
  std::set<std::size_t> seen;
  for (std::size_t i = observations.size(); i-- > 0;) {
    (seen.insert(observations[i].cell).second ? kept : others).push_back(observations[i]);
  }
  while (kept.size() < kMostObservations && !others.empty()) {
    kept.push_back(others.back());
    others.pop_back();
  }
  if (kept.size() > kMostObservations) {  // every n-th of them
    std::vector<Observation> thinned;
    for (std::size_t i = 0; i < kMostObservations; ++i) {
      thinned.push_back(kept[i * kept.size() / kMostObservations]);
    }
    return thinned;
  }
  return kept;
}

class Climb {
 public:
  Climb(const Likeness& likeness, std::vector<Observation> observations)
      : likeness_(likeness), observations_(std::move(observations)) {}

  void run() {
    Place best = {3, 1, 2, 1};
    best.insert(best.end(), likeness_.axes(), 2);
    double height = of(best);
    for (std::size_t sweep = 0; sweep < kMostSweeps; ++sweep) {
      const double before = height;
      for (std::size_t i = 0; i < best.size(); ++i) {
        height = along(i, best, height);
      }
      if (height == before) {
        break;
      }
    }
  }

  const std::map<Place, double>& seen() const { return seen_; }

 private:
  double of(const Place& place) {
    const auto found = seen_.find(place);
    if (found != seen_.end()) {
      return found->second;
    }
    const double height = log_prior(place) + log_likelihood(likeness_, observations_, at(place));
    seen_.emplace(place, height);
    return height;
  }

  // Goes up or down one ladder for as long as that helps.
  double along(std::size_t coordinate, Place& best, double height) {
    const std::size_t rungs = ladder(coordinate).rungs.size();
    for (const bool up : {true, false}) {
      Place next = best;
      while (up ? next[coordinate] + 1 < rungs : next[coordinate] > 0) {
        next[coordinate] = up ? next[coordinate] + 1 : next[coordinate] - 1;
        const double other = of(next);
        if (other <= height) {
          break;
        }
        height = other;
        best = next;
      }
    }
    return height;
  }

  const Likeness& likeness_;
  std::vector<Observation> observations_;
  std::map<Place, double> seen_;
};

}  // namespace

std::vector<WeightedAssumptions> fit_assumptions(const Likeness& likeness,
                                                 const std::vector<Observation>& observations) {
  if (observations.size() < 3) {  // nothing to fit to
    return {{usual_assumptions(likeness.axes()), 1}};
  }
  Climb climb(likeness, most_telling(observations));
  climb.run();
  std::vector<std::pair<double, Place>> order;
  for (const auto& [place, height] : climb.seen()) {
    order.emplace_back(-height, place);
  }
  std::sort(order.begin(), order.end());
  std::vector<WeightedAssumptions> kept;
  const std::size_t most = observations.size() > kManyObservations ? kMostKeptOfMany : kMostKept;
  double total = 0;
  for (const auto& [depth, place] : order) {
    const double weight = std::exp(order.front().first - depth);
    if (kept.size() == most || weight < kLeastRelativeWeight) {
      break;
    }
    kept.push_back({at(place), weight});
    total += weight;
  }
  for (WeightedAssumptions& each : kept) {
    each.weight /= total;
  }
  return kept;
}

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
