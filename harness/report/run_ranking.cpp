// All settings that were planned, failures too.

#include "base/text.h"
#include "report/explored_grid.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/pareto_front.h"
#include "report/ranked_table.h"
#include "report/run_charts.h"
#include "report/run_sections.h"
#include "report/run_words.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Align = Table::Align;

constexpr std::size_t kLongestConstraint = 200, kLongestText = 400;

/// Settings by what they cost; those of energy only where a GPU counts it.
struct Fronts {
  std::vector<RateAndCost> memory, energy;
};

using CellSet = std::set<const result::Cell*>;

CellSet front_of(const std::vector<RateAndCost>& points) {
  CellSet front;
  for (const RateAndCost& point : points) {
    if (point.is_on_front) {
      front.insert(point.cell);
    }
  }
  return front;
}

// What only this table says: the Pareto fronts, and constraints that are broken.
std::string place_of(const result::Cell& cell, const CellSet& memory, const CellSet& energy) {
  std::string text = memory.contains(&cell) ? "Pareto" : "";
  const auto add = [&text](const std::string& words) {
    text += (text.empty() ? "" : "; ") + words;
  };
  if (energy.contains(&cell)) {
    add("Pareto by energy");
  }
  for (const std::string& constraint : cell.broken_constraints) {
    add("breaks " + shortened(constraint, kLongestConstraint));
  }
  return text;
}

Table with_places(Table table, const result::Result& result, const Fronts& fronts) {
  const CellSet memory = front_of(fronts.memory), energy = front_of(fronts.energy);
  table.columns.push_back({"front, constraints"});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    table.rows[i].push_back(place_of(result.cells[i], memory, energy));
  }
  return table;
}

// What a comment has room for: no failures, which come below. False where nothing else is there.
bool add_best(Table table, const PageDetail& detail, Section& section) {
  const std::size_t all = table.rows.size() + table.left_out;
  Table best{.columns = table.columns};
  for (std::size_t i = 0; i < table.rows.size() && best.rows.size() < detail.best_settings; ++i) {
    if (table.row_classes[i] != "failed") {
      best.rows.push_back(std::move(table.rows[i]));
      for (std::string& text : best.rows.back()) {
        text = shortened(text, kLongestText);
      }
    }
  }
  const std::size_t shown = best.rows.size();
  if (shown == 0) {
    section.add(Sentence{"No setting was measured."}, kInMarkdown);
    return false;
  }
  section.add(std::move(best), kInMarkdown);
  if (shown < all) {
    section.add(Sentence{std::to_string(all - shown) + " more of " + std::to_string(all) +
                         (table.left_out == 0 ? " are in report.html." : " are in result.json.")},
                kInMarkdown);
  }
  return true;
}

void add_pareto(const result::Result& result,
                const std::vector<RateAndCost>& points,
                Cost cost,
                Section& section) {
  const auto plot = pareto_plot(result, points, cost);
  if (!plot) {
    return;
  }
  const std::string less = cost == Cost::energy ? "energy" : "memory";
  section.add(Heading{"Throughput against " + less}, kInHtml)
      .add(Figure{{*plot},
                  "Each mark is a setting, as the search measured it: faster is higher, less " +
                      less +
                      " is further left. Settings that failed have no place here; they are in the "
                      "table."},
           kInHtml);
  if (points.size() > kMostParetoPoints) {
    section.add(
        Sentence{"Only the first " + std::to_string(kMostParetoPoints) + " settings are drawn."},
        kInHtml);
  }
}

std::optional<double> baseline_rate(const ExploredGrid& grid) {
  for (const ExploredCell& cell : grid.cells) {
    if (cell.cell->id == "baseline") {
      return cell.rate;
    }
  }
  return std::nullopt;
}

void add_heat(const ExploredGrid& grid, const Importance& importance, Section& section) {
  const auto knobs = heat_map_knobs(grid, importance);
  const auto drawing = knobs ? heat_map(grid, *knobs, baseline_rate(grid)) : std::nullopt;
  if (drawing) {
    section.add(Heading{"Two knobs at once"}, kInHtml)
        .add(Figure{{*drawing},
                    "Throughput of the fastest setting of each pair of values, in the search. The "
                    "tint is the "
                    "distance from the baseline: blue where faster, orange where slower."},
             kInHtml);
  }
}

void add_slices(const ExploredGrid& grid,
                const Importance& importance,
                const result::Result& result,
                Section& section) {
  const result::Cell* const best = best_of(result);
  const result::Cell* const centre = best != nullptr ? best : baseline_of(result);
  if (const auto drawing = knob_slices(grid, importance, centre)) {
    section.add(Heading{"Knob by knob"}, kInHtml)
        .add(Figure{{*drawing},
                    "Line: from the slowest to the fastest setting with that value in the search; "
                    "tick: their median, in samples/s. Joined circles: the slice through " +
                        (centre == nullptr ? "the baseline" : setting_words(*centre)) +
                        ", where only this knob changes."},
             kInHtml);
  }
}

Table importance_table(const ExploredGrid& grid, const Importance& importance) {
  Table table{.caption = "Main effects of the knobs on the throughput",
              .columns = {{"knob"},
                          {"share of the differences", Align::right},
                          {"best value", Align::right},
                          {"worst value", Align::right},
                          {"best over worst", Align::right}}};
  for (const KnobImportance& knob : importance.knobs) {
    const ExploredKnob& of = grid.knobs.at(knob.knob);
    table.rows.push_back({one_line(of.name),
                          share_text(knob.share),
                          of.label(knob.best),
                          of.label(knob.worst),
                          gain_text(knob.gain)});
  }
  return table;
}

void add_importance(const ExploredGrid& grid, const Importance& importance, Section& section) {
  section.add(Heading{"Which knobs matter"}, kInHtml);
  const auto drawing = importance_bars(grid, importance);
  if (!drawing) {
    section.add(Sentence{"Not known: " + importance.reason + "."}, kInHtml);
    return;
  }
  section.add(Figure{{*drawing}, importance_method()}, kInHtml)
      .add(importance_table(grid, importance), kInHtml)
      .add(Sentence{.text = "Together, without interactions, they explain " +
                            share_text(importance.explained_ratio) + " of the variance over " +
                            counted(static_cast<std::int64_t>(grid.measured()), "setting") +
                            ". A guided search runs only a part of the grid, so this says less "
                            "about settings far from those that ran.",
                    .is_quiet = true},
           kInHtml);
}

}  // namespace

Section run_ranking_section(const Run& run, const PageDetail& detail) {
  const result::Result& result = run.result;
  Section section{.title = "Settings, ranked"};
  if (result.cells.empty() && run.directory == nullptr) {
    return section;
  }
  const Table table = ranked_table(run, detail.settings);
  const Fronts fronts{.memory = rates_and_costs(result, Cost::memory),
                      .energy = rates_and_costs(result, Cost::energy)};
  section.add(with_places(table, result, fronts), kInHtml);
  const bool was_measured = add_best(table, detail, section);
  section.add(Sentence{.text = ranking_note(result), .is_quiet = true},
              was_measured ? kInMarkdown | kInHtml : kInHtml);
  if (!detail.has_drawings || !detail.has_plots) {
    return section;
  }
  add_pareto(result, fronts.memory, Cost::memory, section);
  add_pareto(result, fronts.energy, Cost::energy, section);
  const ExploredGrid grid = explored_grid(result);
  if (grid.cells.size() > 1) {
    const Importance importance = importance_of(grid);
    add_heat(grid, importance, section);
    add_slices(grid, importance, result, section);
    add_importance(grid, importance, section);
  }
  return section;
}

}  // namespace tune::report
