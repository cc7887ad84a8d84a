// The section of report.html about recorded steps.

#include "report/headline.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/profile_text.h"
#include "report/recorded_steps.h"
#include "report/role_bars.h"
#include "report/role_lanes.h"
#include "report/timeline_strip.h"

#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

Markup table_of(const TextTable& text, const char* caption) {
  HtmlTable table{.caption = caption, .columns = {}, .rows = text.rows};
  table.columns.reserve(text.heading.size());
  for (const std::string& name : text.heading) {
    table.columns.push_back(
        {name, table.columns.empty() ? RankedTable::Align::left : RankedTable::Align::right});
  }
  return html_table(table);
}

// The baseline above the best setting: mean steps in their parts, then steps as they ran.
Markup drawings_of(const campaign::CampaignResult& result) {
  std::vector<Markup> lanes;
  RoleBars bars{.id = "recorded", .title = "A mean recorded step in its parts", .bars = {}};
  TimelineStrips strips{.id = "timeline", .strips = {}};
  std::vector<std::string> cells = {"baseline"};
  if (const campaign::CellResult* const best = conclude(result).best) {
    cells.push_back(best->cell.id);
  }
  for (const std::string& cell : cells) {
    if (const profile::Partition* const steps = recorded_steps(result, cell)) {
      bars.bars.push_back({.label = one_line(cell), .exposed_ns = mean_exposed_ns(*steps)});
      strips.strips.push_back({.label = one_line(cell), .partition = steps});
      auto drawing = role_lanes(lanes_of(*steps,
                                         "lanes-" + std::to_string(strips.strips.size()),
                                         "Exposed and overlapped time of each part of " +
                                             one_line(cell) + ", of all recorded steps"));
      if (drawing) {
        lanes.push_back(std::move(*drawing));
      }
    }
  }
  Markup html;
  if (auto drawing = role_bars(bars)) {
    html.append(figure({std::move(*drawing)},
                       "Mean recorded steps, on one scale of time. A moment belongs to the first "
                       "part that has anything at it, so that the parts sum to the step; other is "
                       "what no row of the trace explains."));
  }
  if (!lanes.empty()) {
    html.append(figure(lanes,
                       "The baseline above the best setting: of each part, filled what is exposed, "
                       "outlined what parts above it hide. Only exposed time can be gained."));
  }
  if (auto drawing = timeline_strips(strips)) {
    html.append(figure({std::move(*drawing)},
                       "When something of each part ran, on one scale of time: up to five steps "
                       "nearest to the median. Dashed lines are where steps begin and end; blocks "
                       "that lie closer than can be seen are joined."));
  }
  return html;
}

}  // namespace

Markup recorded_section(const campaign::CampaignResult& result) {
  Markup html;
  const auto lines = recording_lines(result);
  if (lines.empty()) {
    return html;
  }
  html.section("What a step consists of");
  html.append(drawings_of(result));
  if (const TextTable parts = recorded_partition(result); !parts.rows.empty()) {
    html.append(table_of(parts,
                         "Time of a recorded step: what nothing more telling hides, which sums to "
                         "the step, and what others hide."));
  }
  if (const TextTable operators = recorded_operators(result); !operators.rows.empty()) {
    html.append(table_of(operators, "Calls and time of its own on the host, per recorded step."));
  }
  html.open("ul").line();
  for (const std::string& line : lines) {
    html.leaf("li", line).line();
  }
  html.close().line();
  html.close().line();
  return html;
}

}  // namespace tune::report
