// The section of report.html about recorded steps.

#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/profile_text.h"

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

}  // namespace

Markup recorded_section(const campaign::CampaignResult& result) {
  Markup html;
  const auto lines = recording_lines(result);
  if (lines.empty()) {
    return html;
  }
  html.open("section").leaf("h2", "What a step consists of").line();
  if (const TextTable parts = recorded_partition(result); !parts.rows.empty()) {
    html.append(table_of(parts,
                         "Time of a recorded step that nothing more telling hides; the parts sum "
                         "to the step."));
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
