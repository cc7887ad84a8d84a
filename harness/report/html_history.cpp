// The section of report.html about earlier runs that compare with this one.

#include "history/trend.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/past_gates.h"
#include "report/trend_chart.h"
#include "report/trend_text.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr const char* kCaption =
    "The baseline of the scenario in the runs and gates of this user that compare with this run: "
    "equal text of the scenario, equal data and settings, the same class of machine. Thick lines "
    "are levels, blue where better and orange where worse than the one before; a dashed line marks "
    "where one begins; the large circle is this run.";

Markup points_table(const history::Series& series) {
  HtmlTable table{.caption = "The runs, oldest first",
                  .columns = {{"run"},
                              {"started"},
                              {"kind"},
                              {"throughput", RankedTable::Align::right},
                              {"LibTorch"},
                              {"tune"}}};
  constexpr std::size_t kCommitDigits = 12;
  for (const history::Point& point : series.points) {
    table.rows.push_back({point_name(point),
                          one_line(point.started_utc),
                          point.kind,
                          trend_value_text(point.value, series.unit),
                          one_line(point.torch_version),
                          one_line(point.commit.substr(0, kCommitDigits))});
  }
  return html_table(table);
}

// Runs and gates that are followed, and where their level changed; nothing of fewer than two.
Markup trend_part(const history::Series& series) {
  Markup html;
  const history::Trend trend = history::trend_of(series.points);
  const std::optional<Markup> chart = trend_chart(series, trend);
  if (!chart) {
    return html;
  }
  html.append(figure({*chart}, kCaption));
  std::vector<std::string> lines;
  lines.reserve(trend.changes.size());
  for (const history::Change& change : trend.changes) {
    lines.push_back(change_sentence(series, change));
  }
  html.append(lines.empty() ? paragraph("No change of level is seen.") : bullets(lines));
  return html.append(folded("Runs of the drawing", points_table(series)));
}

}  // namespace

Markup history_section(const campaign::CampaignResult& result) {
  Markup html;
  if (!result.history) {
    return html;
  }
  const Markup trend = trend_part(*result.history);
  const auto& past = result.history->gates;
  const Markup gates = past.empty() ? Markup() : html_table(past_gates_table(past));
  if (trend.finished().empty() && gates.finished().empty()) {
    return html;
  }
  return html.section("History").append(trend).append(gates).close().line();
}

}  // namespace tune::report
