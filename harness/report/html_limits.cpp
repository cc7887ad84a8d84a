// The section of report.html about the limits of the machine.

#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/limits_text.h"

namespace tune::report {

Markup limits_section(const campaign::CampaignResult& result) {
  Markup html;
  const auto lines = limit_lines(result);
  if (lines.empty()) {
    return html;
  }
  html.section("How close to the limit");
  if (const TextTable found = limit_table(result); !found.rows.empty()) {
    HtmlTable table{.caption = "What the baseline reached of what this machine can do",
                    .columns = {{"what"}},
                    .rows = found.rows};
    for (std::size_t i = 1; i < found.heading.size(); ++i) {
      table.columns.push_back({found.heading[i], RankedTable::Align::right});
    }
    html.append(html_table(table));
  }
  html.append(bullets(lines));
  html.close().line();
  return html;
}

}  // namespace tune::report
