#include "base/stats/main_effects.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>

namespace tune::stats {

namespace {

constexpr int kMostPasses = 500;
constexpr double kStill = 1e-12;  // relative to the response's spread

double sum_of_squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return sum;
}

// Moves the mean of the residual at each level into the effect; returns the largest move.
double refit(const std::vector<std::size_t>& level,
             std::vector<double>& effect,
             std::vector<double>& residual) {
  std::vector<double> mean(effect.size(), 0.0), count(effect.size(), 0.0);
  for (std::size_t i = 0; i < level.size(); ++i) {
    mean[level[i]] += residual[i];
    count[level[i]] += 1;
  }
  double moved = 0;
  for (std::size_t i = 0; i < effect.size(); ++i) {
    mean[i] = count[i] > 0 ? mean[i] / count[i] : 0;
    effect[i] += mean[i];
    moved = std::max(moved, std::fabs(mean[i]));
  }
  for (std::size_t i = 0; i < level.size(); ++i) {
    residual[i] -= mean[level[i]];
  }
  return moved;
}

std::vector<double> without_mean(const std::vector<double>& response) {
  double sum = 0;
  for (const double value : response) {
    sum += value;
  }
  const double mean = sum / static_cast<double>(response.size());
  std::vector<double> rest;
  rest.reserve(response.size());
  for (const double value : response) {
    rest.push_back(value - mean);
  }
  return rest;
}

}  // namespace

MainEffects main_effects(const std::vector<std::vector<std::size_t>>& levels,
                         const std::vector<double>& response) {
  TUNE_ASSERT(!response.empty());
  MainEffects found;
  found.factors.reserve(levels.size());
  for (const std::vector<std::size_t>& factor : levels) {
    TUNE_ASSERT(factor.size() == response.size());
    const std::size_t count = *std::max_element(factor.begin(), factor.end()) + 1;
    found.factors.push_back({.by_level = std::vector<double>(count, 0.0)});
  }
  std::vector<double> residual = without_mean(response);
  const double total = sum_of_squares(residual);
  if (total <= 0) {
    return found;
  }
  const double still = kStill * std::sqrt(total / static_cast<double>(response.size()));
  for (int pass = 0; pass < kMostPasses; ++pass) {
    double moved = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      moved = std::max(moved, refit(levels[i], found.factors[i].by_level, residual));
    }
    if (moved <= still) {
      break;
    }
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    double sum = 0;
    for (const std::size_t level : levels[i]) {
      const double effect = found.factors[i].by_level[level];
      sum += effect * effect;
    }
    found.factors[i].share = std::min(1.0, sum / total);
  }
  found.explained_ratio = std::clamp(1 - sum_of_squares(residual) / total, 0.0, 1.0);
  return found;
}

}  // namespace tune::stats
