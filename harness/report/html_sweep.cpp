// The section of report.html about all settings that were planned, failures too.

#include "report/explored_grid.h"
#include "report/headline.h"
#include "report/heat_map.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/importance_bars.h"
#include "report/knob_slices.h"
#include "report/number_text.h"
#include "report/pareto_front.h"
#include "report/pareto_plot.h"
#include "report/ranked_table.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using Align = RankedTable::Align;

constexpr std::size_t kLongestConstraint = 200;

std::set<const CellResult*> front_of(const CampaignResult& result) {
  std::set<const CellResult*> front;
  for (const RateAndMemory& point : rates_and_memory(result)) {
    if (point.is_on_front) {
      front.insert(point.cell);
    }
  }
  return front;
}

// What only this table says: the Pareto front, and constraints that are broken.
std::string place_of(const CellResult& cell, const std::set<const CellResult*>& front) {
  std::string text = front.contains(&cell) ? "Pareto" : "";
  for (const std::string& constraint : cell.broken_constraints) {
    text += (text.empty() ? "breaks " : "; breaks ") + shortened(constraint, kLongestConstraint);
  }
  return text;
}

HtmlTable ranking(const CampaignResult& result, const RankedTable& ranked) {
  const std::set<const CellResult*> front = front_of(result);
  HtmlTable table{
      .caption = "Settings of the search, ranked", .columns = ranked.columns, .heading = 1};
  table.columns.push_back({"front, constraints"});
  for (std::size_t i = 0; i < ranked.rows.size(); ++i) {
    const RankedTable::Row& row = ranked.rows[i];
    table.rows.push_back(row.texts);
    table.rows.back().push_back(place_of(result.cells.at(i), front));
    table.row_classes.emplace_back(row.is_best                               ? "best"
                                   : row.kind == RankedTable::Kind::baseline ? "baseline"
                                   : row.kind == RankedTable::Kind::failed   ? "failed"
                                                                             : "");
  }
  return table;
}

Markup pareto_part(const CampaignResult& result) {
  Markup html;
  const auto plot = pareto_plot(result);
  if (!plot) {
    return html;
  }
  html.leaf("h3", "Throughput against memory").line();
  html.append(figure({*plot},
                     "A mark a setting: faster is higher, less memory is further left. Settings "
                     "that failed have no place here; they stand in the table."));
  const std::size_t points = rates_and_memory(result).size();
  return points <= kMostParetoPoints
             ? html
             : html.append(paragraph("Only the first " + std::to_string(kMostParetoPoints) +
                                     " settings are drawn."));
}

std::optional<double> baseline_rate(const ExploredGrid& grid) {
  for (const ExploredCell& cell : grid.cells) {
    if (cell.cell->cell.id == "baseline") {
      return cell.rate;
    }
  }
  return std::nullopt;
}

Markup heat_part(const ExploredGrid& grid, const Importance& importance) {
  Markup html;
  const auto knobs = heat_map_knobs(grid, importance);
  const auto drawing = knobs ? heat_map(grid, *knobs, baseline_rate(grid)) : std::nullopt;
  if (drawing) {
    html.leaf("h3", "Two knobs at once").line();
    html.append(figure({*drawing},
                       "Throughput of the fastest setting of each pair of values. The tint is the "
                       "distance from the baseline: blue where faster, orange where slower."));
  }
  return html;
}

Markup slices_part(const ExploredGrid& grid,
                   const Importance& importance,
                   const CampaignResult& result) {
  const Conclusion conclusion = conclude(result);
  const CellResult* const centre =
      conclusion.best != nullptr ? conclusion.best : conclusion.baseline;
  Markup html;
  if (const auto drawing = knob_slices(grid, importance, centre)) {
    html.leaf("h3", "Knob by knob").line();
    html.append(figure({*drawing},
                       "Line: from the slowest to the fastest setting with that value; tick: their "
                       "median, in samples/s. Joined circles: the slice through " +
                           (centre == nullptr ? "the baseline" : one_line(centre->cell.id)) +
                           ", where only this knob changes."));
  }
  return html;
}

HtmlTable importance_table(const ExploredGrid& grid, const Importance& importance) {
  HtmlTable table{.caption = "Main effects of the knobs on the throughput",
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

Markup importance_part(const ExploredGrid& grid, const Importance& importance) {
  Markup html;
  html.leaf("h3", "Which knobs matter").line();
  const auto drawing = importance_bars(grid, importance);
  if (!drawing) {
    return html.append(paragraph("Not known: " + importance.reason + "."));
  }
  html.append(figure({*drawing}, importance_method()));
  html.append(html_table(importance_table(grid, importance)));
  return html.append(paragraph("Together, without interactions, they explain " +
                                   share_text(importance.explained_ratio) +
                                   " of the variance over " +
                                   counted(static_cast<std::int64_t>(grid.measured()), "setting") +
                                   ". A guided search runs only a part of the grid, so this says "
                                   "less about settings far from those that ran.",
                               "quiet"));
}

}  // namespace

Markup ranking_section(const CampaignResult& result, const PageDetail& detail) {
  Markup html;
  html.section("Settings, ranked");
  const RankedTable ranked = ranked_table(result, detail.settings);
  html.append(html_table(ranking(result, ranked)));
  html.append(rest_in_json(ranked.left_out, "setting"));
  html.append(paragraph(ranked.note, "quiet"));
  html.append(pareto_part(result));
  const ExploredGrid grid = explored_grid(result);
  if (grid.cells.size() > 1) {
    const Importance importance = importance_of(grid);
    html.append(heat_part(grid, importance));
    html.append(slices_part(grid, importance, result));
    html.append(importance_part(grid, importance));
  }
  return html.close().line();
}

}  // namespace tune::report
