// The section of report.html about the machine during the run.

#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/machine_curves.h"
#include "report/machine_text.h"

#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;

constexpr const char* kCaption =
    "One trial of each setting from its start to its end, with equal scales. Each line is the "
    "mean since the reading before; the measured window is shaded, and a bar below it marks the "
    "recorded steps where that trial has some.";

Markup numbers(const CampaignResult& result) {
  HtmlTable table{.caption = "Medians over the trials, in their measured windows",
                  .columns = {{"machine"}}};
  for (const telemetry::CellTelemetry& cell : result.telemetry) {
    table.columns.push_back({one_line(cell.cell), RankedTable::Align::right});
  }
  for (const MachineRow& found : machine_rows(result)) {
    std::vector<std::string> row = {found.label};
    row.insert(row.end(), found.texts.begin(), found.texts.end());
    table.rows.push_back(std::move(row));
  }
  return table.rows.empty() ? Markup() : html_table(table);
}

}  // namespace

Markup machine_section(const CampaignResult& result) {
  Markup html;
  if (result.telemetry.empty()) {
    return html;
  }
  html.section("Machine during the run");
  if (const auto curves = machine_curves(result); !curves.empty()) {
    html.append(figure(curves, kCaption));
  }
  html.append(bullets(curves_not_drawn(result)));
  html.append(numbers(result));
  html.append(bullets(machine_notes(result)));
  html.close().line();
  return html;
}

}  // namespace tune::report
