#include "measure/search/likeness.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tune::search {

namespace {

constexpr double kReachInLevels = 1.5;  // over which neighbouring levels forget each other
constexpr double kUsualWeight = 0.12;

}  // namespace

Likeness::Kernel Likeness::centred(const Axis& axis) {
  const std::size_t levels = axis.values.size();
  std::vector<double> plain(levels * levels);
  std::vector<double> row_mean(levels);
  double mean = 0;
  for (std::size_t a = 0; a < levels; ++a) {
    for (std::size_t b = 0; b < levels; ++b) {
      const double apart = std::abs(static_cast<double>(a) - static_cast<double>(b));
      const double value = axis.numeric ? std::exp(-apart / kReachInLevels) : (a == b ? 1.0 : 0.0);
      plain[a * levels + b] = value;
      row_mean[a] += value / static_cast<double>(levels);
    }
    mean += row_mean[a] / static_cast<double>(levels);
  }
  Kernel kernel{levels, plain};
  double variance = 0;
  for (std::size_t a = 0; a < levels; ++a) {
    for (std::size_t b = 0; b < levels; ++b) {
      kernel.values[a * levels + b] += mean - row_mean[a] - row_mean[b];
    }
    variance += kernel.values[a * levels + a] / static_cast<double>(levels);
  }
  for (double& value : kernel.values) {
    value = variance > 0 ? value / variance : 0;  // an axis of one level does nothing
  }
  return kernel;
}

Likeness::Likeness(const Space& space) : space_(space) {
  for (const Axis& axis : space.axes) {
    kernels_.push_back(centred(axis));
  }
}

double Likeness::covariance(std::size_t a, std::size_t b, const Assumptions& assumptions) const {
  double product = assumptions.signal * assumptions.signal;
  const std::vector<std::size_t>& left = space_.cells[a];
  const std::vector<std::size_t>& right = space_.cells[b];
  for (std::size_t axis = 0; axis < kernels_.size(); ++axis) {
    const Kernel& kernel = kernels_[axis];
    product *=
        1 + assumptions.weights[axis] * kernel.values[left[axis] * kernel.levels + right[axis]];
  }
  return product + (a == b ? assumptions.own * assumptions.own : 0);
}

Assumptions usual_assumptions(std::size_t axes) {
  Assumptions usual;
  usual.weights.assign(axes, kUsualWeight);
  return usual;
}

namespace {

constexpr double kConstantVariance = 1;  // scores are centred; e^1 either way is left open
constexpr double kShareOfProcess = 0.35;

}  // namespace

double noise_variance(const Observation& observation, const Assumptions& assumptions) {
  const double slices = static_cast<double>(std::max<std::int64_t>(1, observation.slices));
  const double share = kShareOfProcess + (1 - kShareOfProcess) / slices;
  const double sd = assumptions.noise * observation.doubt;
  return sd * sd * share;
}

SquareMatrix covariance(const Likeness& likeness,
                        const std::vector<Observation>& observations,
                        const Assumptions& assumptions) {
  // Cells repeat: the product over the axes is computed once for every two different ones.
  std::unordered_map<std::size_t, std::size_t> place;
  std::vector<std::size_t> cells;
  std::vector<std::size_t> index;
  for (const Observation& observation : observations) {
    const auto [found, is_new] = place.emplace(observation.cell, cells.size());
    if (is_new) {
      cells.push_back(observation.cell);
    }
    index.push_back(found->second);
  }
  SquareMatrix between(cells.size());
  for (std::size_t a = 0; a < cells.size(); ++a) {
    for (std::size_t b = a; b < cells.size(); ++b) {
      const double value = likeness.covariance(cells[a], cells[b], assumptions);
      between.at(a, b) = value;
      between.at(b, a) = value;
    }
  }
  SquareMatrix all(observations.size());
  const double block_variance = assumptions.block * assumptions.block;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    for (std::size_t j = i; j < observations.size(); ++j) {
      const bool same_block = observations[i].block == observations[j].block;
      all.at(i, j) =
          kConstantVariance + between.at(index[i], index[j]) + (same_block ? block_variance : 0);
    }
    all.at(i, i) += noise_variance(observations[i], assumptions);
  }
  return all;
}

}  // namespace tune::search
