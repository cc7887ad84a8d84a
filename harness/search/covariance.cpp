#include "search/covariance.h"

#include <algorithm>
#include <unordered_map>

namespace tune::search {

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
