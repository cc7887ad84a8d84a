#include "search/fit_assumptions.h"

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

}  // namespace tune::search
