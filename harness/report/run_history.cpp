// Earlier runs that compare with this one, and earlier gates of the scenario.

#include "measure/history/trend.h"
#include "report/past_gates.h"
#include "report/run_sections.h"
#include "report/trend_chart.h"
#include "report/trend_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kLongestText = 400;

constexpr const char* kCaption =
    "The baseline of the scenario in the runs and gates of this user that compare with this run: "
    "equal text of the scenario, equal data and settings, the same class of machine. Thick lines "
    "are levels, blue where better and orange where worse than the one before; a dashed line marks "
    "where one begins; the large circle is this run.";

Table points_table(const history::Series& series) {
  Table table{.caption = "The runs, oldest first",
              .columns = {{"run"},
                          {"started"},
                          {"kind"},
                          {"throughput", Table::Align::right},
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
  return table;
}

std::vector<std::string> changes_of(const history::Series& series, const history::Trend& trend) {
  std::vector<std::string> lines;
  lines.reserve(trend.changes.size());
  for (const history::Change& change : trend.changes) {
    lines.push_back(shortened(change_sentence(series, change), kLongestText));
  }
  return lines;
}

// Runs and gates that are followed, and where their level changed; nothing of fewer than two.
void add_trend(const history::Series& series, Section& section) {
  constexpr std::size_t kWidth = 60;
  if (series.points.size() < 2) {
    return;
  }
  const history::Trend trend = history::trend_of(series.points);
  const std::optional<Markup> chart = trend_chart(series, trend);
  section.add(
      Sentence{sparkline(values_of(series), kWidth) + " baseline over " + range_sentence(series)},
      kAsLines | kInMarkdown);
  if (chart) {
    section.add(Figure{{*chart}, kCaption});
  }
  const std::vector<std::string> changes = changes_of(series, trend);
  if (!changes.empty()) {
    section.add(List{changes});
  } else if (chart) {
    section.add(Sentence{"No change of level is seen."}, kInHtml);
  }
  if (chart) {
    section.add(Folded{"Runs of the drawing", {{points_table(series)}}}, kInHtml);
  }
}

void add_gates(const std::vector<history::PastGate>& gates, Section& section) {
  constexpr std::size_t kMostGates = 5;
  if (gates.empty()) {
    return;
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(gates.size(), kMostGates); ++i) {
    const history::PastGate& gate = gates[i];
    lines.push_back(
        "gate of " + gate.started_utc + ": " +
        shortened(gate.verdict + (gate.reason.empty() ? "" : ", ") + gate.reason, kLongestText));
  }
  section.add(List{lines}, kAsLines | kInMarkdown).add(past_gates_table(gates), kInHtml);
}

}  // namespace

Section run_history_section(const Run& run) {
  Section section{.title = "History"};
  if (run.directory != nullptr && run.directory->history) {
    add_trend(*run.directory->history, section);
    add_gates(run.directory->history->gates, section);
  }
  return section;
}

}  // namespace tune::report
