#include "report/explored_grid.h"

#include "base/assert.h"
#include "base/stats/main_effects.h"
#include "report/chart_scale.h"
#include "report/markup.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tune::report {

namespace {

using trial::KnobValue;

constexpr std::size_t kLongestLabel = 24;
constexpr std::size_t kLeastCells = 3;

std::optional<double> rate_of(const result::Cell& cell) {
  const std::optional<double>& rate = cell.throughput.value;
  return rate && is_drawable(*rate) && *rate > 0 ? rate : std::nullopt;
}

std::vector<ExploredKnob> knobs_of(const result::Result& result) {
  std::map<std::string, std::set<KnobValue>> values;
  std::map<std::string, std::size_t> cells;
  for (const result::Cell& cell : result.cells) {
    for (const auto& [name, value] : cell.knobs) {
      values[name].insert(value);
      ++cells[name];
    }
  }
  std::vector<ExploredKnob> knobs;
  for (const auto& [name, all] : values) {
    if (all.size() > 1 && cells[name] == result.cells.size()) {
      knobs.push_back({.name = name, .values = std::vector<KnobValue>(all.begin(), all.end())});
    }
  }
  return knobs;
}

const KnobValue& value_of(const result::Cell& cell, const std::string& knob) {
  const auto found = std::find_if(
      cell.knobs.begin(), cell.knobs.end(), [&](const auto& each) { return each.first == knob; });
  TUNE_ASSERT(found != cell.knobs.end());
  return found->second;
}

ExploredCell point_of(const result::Cell& cell, const std::vector<ExploredKnob>& knobs) {
  ExploredCell point{.cell = &cell, .rate = rate_of(cell)};
  point.levels.reserve(knobs.size());
  for (const ExploredKnob& knob : knobs) {
    const auto at =
        std::lower_bound(knob.values.begin(), knob.values.end(), value_of(cell, knob.name));
    point.levels.push_back(static_cast<std::size_t>(at - knob.values.begin()));
  }
  return point;
}

/// The settings that were measured: ln(samples/s), and the values of the knobs.
struct Observations {
  std::vector<double> log_rates;
  std::vector<std::vector<std::size_t>> levels;  ///< by knob
  std::vector<std::set<std::size_t>> seen;       ///< by knob: values that some of them have
};

Observations observations_of(const ExploredGrid& grid) {
  Observations all;
  all.levels.resize(grid.knobs.size());
  all.seen.resize(grid.knobs.size());
  for (const ExploredCell& cell : grid.cells) {
    if (!cell.rate) {
      continue;
    }
    all.log_rates.push_back(std::log(*cell.rate));
    for (std::size_t i = 0; i < grid.knobs.size(); ++i) {
      all.levels[i].push_back(cell.levels[i]);
      all.seen[i].insert(cell.levels[i]);
    }
  }
  return all;
}

std::string why_not(const Observations& all) {
  if (all.log_rates.size() < kLeastCells) {
    return "fewer than three settings were measured";
  }
  std::size_t effects = 1;
  bool varies = false;
  for (const auto& seen : all.seen) {
    effects += seen.size() - 1;
    varies = varies || seen.size() > 1;
  }
  if (!varies) {
    return "no knob has two values among the settings that were measured";
  }
  return effects >= all.log_rates.size()
             ? "there are as many values of knobs as settings that were measured"
             : "";
}

KnobImportance effect_of(std::size_t knob,
                         const stats::MainEffect& effect,
                         const std::set<std::size_t>& seen) {
  const auto is_less = [&](std::size_t a, std::size_t b) {
    return effect.by_level[a] < effect.by_level[b];
  };
  KnobImportance found{.knob = knob, .share = effect.share};
  found.best = *std::max_element(seen.begin(), seen.end(), is_less);
  found.worst = *std::min_element(seen.begin(), seen.end(), is_less);
  found.gain = std::exp(effect.by_level[found.best] - effect.by_level[found.worst]) - 1;
  return found;
}

}  // namespace

std::string ExploredKnob::label(std::size_t value) const {
  return shortened(trial::to_text(values.at(value)), kLongestLabel);
}

std::size_t ExploredGrid::measured() const {
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(), [](const ExploredCell& cell) { return cell.rate.has_value(); }));
}

ExploredGrid explored_grid(const result::Result& result) {
  ExploredGrid grid{.knobs = knobs_of(result)};
  grid.cells.reserve(result.cells.size());
  for (const result::Cell& cell : result.cells) {
    grid.cells.push_back(point_of(cell, grid.knobs));
  }
  return grid;
}

Importance importance_of(const ExploredGrid& grid) {
  const Observations all = observations_of(grid);
  Importance found{.reason = why_not(all)};
  if (!found.reason.empty()) {
    return found;
  }
  const stats::MainEffects effects = stats::main_effects(all.levels, all.log_rates);
  found.explained_ratio = effects.explained_ratio;
  for (std::size_t i = 0; i < grid.knobs.size(); ++i) {
    if (all.seen[i].size() > 1) {
      found.knobs.push_back(effect_of(i, effects.factors[i], all.seen[i]));
    }
  }
  std::stable_sort(found.knobs.begin(), found.knobs.end(), [](const auto& a, const auto& b) {
    return a.share > b.share;
  });
  return found;
}

std::vector<std::size_t> knobs_by_importance(const ExploredGrid& grid,
                                             const Importance& importance) {
  std::vector<std::size_t> order;
  for (const KnobImportance& knob : importance.knobs) {
    order.push_back(knob.knob);
  }
  for (std::size_t i = 0; i < grid.knobs.size(); ++i) {
    if (std::find(order.begin(), order.end(), i) == order.end()) {
      order.push_back(i);
    }
  }
  return order;
}

const char* importance_method() {
  return "Main effects: the additive model ln(samples/s) = mean + one effect for each knob's "
         "value, "
         "by least squares (backfitting) over all settings that were measured. A bar is the share "
         "of the variance that the knob's effect has by itself. What knobs do only together is in "
         "no bar, and of knobs that always change together the first gets the credit.";
}

}  // namespace tune::report
