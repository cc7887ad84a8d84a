#include "measure/search/standings.h"

#include "base/seeded_order.h"
#include "measure/search/best_first.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tune::search {

namespace {

constexpr std::size_t kMostCells = 500;

// How far a plainer cell may be behind to be confirmed as well as the best one, in standard errors.
// Fresh pairs decide between the two, so that the search may be generous: where most knobs do
// nothing, a short search picks half as many of those as with one (search_simulation). One where
// only one cell is confirmed: the rule by which Breiman et al. (Classification and Regression
// Trees, 1984, 3.4.3) choose a tree.
constexpr double kPlainerDeviations = 2;

std::vector<std::size_t> open_cells(const Space& space, const History& history) {
  std::vector<std::size_t> open;
  for (std::size_t cell = 1; cell < space.cells.size(); ++cell) {
    if (history.open(cell)) {
      open.push_back(cell);
    }
  }
  return open;
}

std::vector<std::size_t> measured_cells(const std::vector<std::size_t>& cells,
                                        const History& history) {
  std::vector<std::size_t> measured;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(measured), [&](std::size_t cell) {
    return history.measured(cell);
  });
  return measured;
}

// What a large grid is cut down to, in the order of the cells.
std::vector<std::size_t> looked_at(const Space& space,
                                   const History& history,
                                   const std::vector<std::size_t>& open,
                                   const Policy& policy,
                                   std::size_t leader) {
  if (open.size() <= kMostCells) {
    return open;
  }
  const auto order = seeded_order(
      open.size(), policy.seed, "looked at", static_cast<std::int64_t>(history.blocks.size()));
  std::vector<std::tuple<int, std::size_t, std::size_t>> urgency;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::size_t cell = open[i];
    const bool favoured =
        std::find(space.favoured.begin(), space.favoured.end(), cell) != space.favoured.end();
    const bool first = favoured || history.measured(cell) || distance(space, cell, leader) == 1 ||
                       is_part_of(space, cell, leader);
    urgency.emplace_back(first ? 0 : 1, order[i], cell);
  }
  std::sort(urgency.begin(), urgency.end());
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < kMostCells; ++i) {
    cells.push_back(std::get<2>(urgency[i]));
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

}  // namespace

Field field_of(const Space& space, const History& history, const Policy& policy) {
  Field field{.model = Model(space, history.observations)};
  const std::vector<std::size_t> open = open_cells(space, history);
  const std::vector<std::size_t> measured = measured_cells(open, history);
  const std::vector<Belief> measured_gains = field.model.against(0, measured);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured_gains[i].mean > field.leader_gain) {
      field.leader = measured[i];
      field.leader_gain = measured_gains[i].mean;
    }
  }
  const auto cells = looked_at(space, history, open, policy, field.leader);
  const std::vector<Belief> behind = field.model.against(field.leader, cells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    field.standings.push_back({.cell = cells[i],
                               .measured = history.measured(cells[i]),
                               .gain = field.leader_gain + behind[i].mean,
                               .behind = behind[i].mean,
                               .behind_sd = behind[i].sd});
  }
  std::sort(field.standings.begin(), field.standings.end(), [](const auto& a, const auto& b) {
    return std::tuple(-a.behind, a.cell) < std::tuple(-b.behind, b.cell);
  });
  return field;
}

double at_most_ahead(const Standing& standing, const Policy& policy) {
  return standing.behind + policy.deviations * standing.behind_sd;
}

bool contends(const Standing& standing, const Policy& policy) {
  return at_most_ahead(standing, policy) > std::log1p(policy.min_effect_ratio);
}

namespace {

// Cells with a part of the changes of `whole` that do as well as all of them, the fewest first.
std::vector<std::size_t> parts_as_good(const Space& space,
                                       const Policy& policy,
                                       const Field& field,
                                       std::size_t whole) {
  std::vector<std::size_t> parts;
  for (const Standing& standing : field.standings) {
    if (standing.gain > 0 && is_part_of(space, standing.cell, whole)) {
      parts.push_back(standing.cell);
    }
  }
  const std::vector<Belief> behind = field.model.against(whole, parts);
  const double deviations = policy.wanted > 1 ? kPlainerDeviations : 1;
  std::vector<std::tuple<std::size_t, double, std::size_t>> ranked;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double as_good = std::max(std::log1p(policy.min_effect_ratio), deviations * behind[i].sd);
    if (behind[i].mean > -as_good) {
      ranked.emplace_back(changed_knobs(space, parts[i]), -behind[i].mean, parts[i]);
    }
  }
  std::sort(ranked.begin(), ranked.end());
  parts.clear();
  for (const auto& [changed, ahead, cell] : ranked) {
    parts.push_back(cell);
  }
  return parts;
}

}  // namespace

std::vector<std::size_t> untried_parts(const Space& space,
                                       const History& history,
                                       const Policy& policy,
                                       const Field& field,
                                       std::size_t whole) {
  std::vector<std::size_t> parts = parts_as_good(space, policy, field, whole);
  // One with enough trials is chosen, whatever has more changes.
  const auto tried = std::find_if(parts.begin(), parts.end(), [&](std::size_t cell) {
    return history.cells[cell].completed >= kLeastTrials;
  });
  parts.erase(tried, parts.end());
  return parts;
}

std::vector<std::size_t> guided_candidates(const Space& space,
                                           const History& history,
                                           const Policy& policy,
                                           const Field& field) {
  const double tie = std::log1p(policy.min_effect_ratio);
  std::vector<Scored> scored;
  for (const Standing& standing : field.standings) {
    const bool matters = standing.cell == field.leader || contends(standing, policy) ||
                         (standing.behind > -tie && field.leader != 0);
    if (standing.measured && matters) {
      scored.push_back({standing.cell, standing.gain});
    }
  }
  auto candidates = best_first(space, history, std::move(scored), tie, policy.wanted);
  if (!candidates.empty()) {
    // One lucky trial does no harm where the best cell is confirmed as well.
    const std::int64_t least = policy.wanted > 1 ? 1 : kLeastTrials;
    for (const std::size_t part : parts_as_good(space, policy, field, candidates.front())) {
      if (history.cells[part].completed >= least) {
        std::erase(candidates, part);
        candidates.insert(candidates.begin(), part);
        candidates.resize(std::min(candidates.size(), policy.wanted));
        break;
      }
    }
  }
  return candidates;
}

}  // namespace tune::search
