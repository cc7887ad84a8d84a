#include "measure/search/whole_search.h"

#include "base/seeded_order.h"
#include "base/stats/quantile.h"
#include "measure/search/best_first.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tune::search {

namespace {

constexpr std::size_t kRandomCells = 8;  // in a block, besides the baseline

using Scores = std::vector<std::vector<double>>;  // of each cell, against the baseline

// By block; only blocks in which the baseline completed.
std::unordered_map<std::int64_t, double> baselines_of(const History& history) {
  std::unordered_map<std::int64_t, double> baselines;
  for (const Observation& observation : history.observations) {
    if (observation.cell == 0) {
      baselines[observation.block] = observation.score;
    }
  }
  return baselines;
}

Scores gains_over_baseline(const History& history) {
  const auto baselines = baselines_of(history);
  Scores gains(history.cells.size());
  std::map<std::int64_t, std::vector<Observation>> alone;  // in blocks without a baseline
  auto baseline = baselines.end();                         // of the block that was seen last
  for (const Observation& observation : history.observations) {
    if (baseline == baselines.end() || baseline->first != observation.block) {
      baseline = baselines.find(observation.block);
    }
    if (baseline == baselines.end()) {
      alone[observation.block].push_back(observation);
    } else {
      gains[observation.cell].push_back(observation.score - baseline->second);
    }
  }
  const Scores known = alone.empty() ? Scores() : gains;
  for (const auto& [block, observations] : alone) {
    std::vector<double> shifts;
    for (const Observation& observation : observations) {
      if (!known[observation.cell].empty()) {
        shifts.push_back(observation.score - stats::median(known[observation.cell]));
      }
    }
    const double shift = shifts.empty() ? 0 : stats::median(shifts);
    for (const Observation& observation : observations) {
      gains[observation.cell].push_back(observation.score - shift);
    }
  }
  return gains;
}

}  // namespace

std::optional<Block> grid_block(const Space& space,
                                const History& before,
                                const Policy& policy,
                                std::int64_t number) {
  if (number >= policy.rounds) {
    return std::nullopt;
  }
  Block block{.number = number, .stage = "grid", .slices = policy.slices};
  for (std::size_t cell = 0; cell < space.cells.size(); ++cell) {
    if (before.open(cell)) {
      block.cells.push_back(cell);
    }
  }
  return block;
}

std::optional<Block> random_block(const Space& space,
                                  const History& before,
                                  const Policy& policy,
                                  std::int64_t number) {
  const std::size_t others = space.cells.size() - 1;
  const auto blocks_a_round = static_cast<std::int64_t>(
      std::max<std::size_t>(1, (others + kRandomCells - 1) / kRandomCells));
  for (; number < policy.rounds * blocks_a_round; ++number) {
    const auto order = seeded_order(others, policy.seed, "random", number / blocks_a_round);
    const auto from = static_cast<std::size_t>(number % blocks_a_round) * kRandomCells;
    Block block{.number = number, .stage = "random", .cells = {0}, .slices = policy.slices};
    for (std::size_t i = from; i < std::min(from + kRandomCells, others); ++i) {
      if (before.open(order[i] + 1)) {
        block.cells.push_back(order[i] + 1);
      }
    }
    if (block.cells.size() > 1 || others == 0) {
      return block;
    }
  }
  return std::nullopt;
}

std::vector<std::size_t> whole_candidates(const Space& space,
                                          const History& history,
                                          const Policy& policy) {
  const Scores gains = gains_over_baseline(history);
  std::vector<Scored> scored;
  for (std::size_t cell = 1; cell < gains.size(); ++cell) {
    if (!gains[cell].empty() && history.measured(cell)) {
      scored.push_back({cell, stats::median(gains[cell])});
    }
  }
  BestFirst order(space, history, std::move(scored), std::log1p(policy.min_effect_ratio));
  std::vector<std::size_t> candidates;
  std::optional<std::size_t> leader;
  // A cell whose best block is below the leader's worst would only cost the leader certainty.
  const auto may_lead = [&](std::size_t cell) {
    const auto& leading = gains.at(*leader);
    const auto& own = gains.at(cell);
    return leading.size() < 2 || *std::max_element(own.begin(), own.end()) >=
                                     *std::min_element(leading.begin(), leading.end());
  };
  for (auto cell = order.next(); cell && candidates.size() < policy.wanted; cell = order.next()) {
    leader = leader.value_or(*cell);
    if (may_lead(*cell)) {
      candidates.push_back(*cell);
    }
  }
  return candidates;
}

}  // namespace tune::search
