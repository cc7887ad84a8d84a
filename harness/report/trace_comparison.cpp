#include "report/trace_comparison.h"

#include "report/html_page.h"
#include "report/markdown.h"
#include "report/number_text.h"
#include "report/render_blocks.h"
#include "report/table_blocks.h"
#include "report/table_text.h"
#include "report/trace_sections.h"

#include <utility>

namespace tune::report {

namespace {

constexpr std::size_t kLongestTitle = 200;

// Those that have a value; all of them are ratios.
Section metrics_section(const TraceComparison& comparison) {
  Table table{.caption = "Over all traces together",
              .columns = {{"metric"}, {"value", Table::Align::right}}};
  for (const metric::Metric& metric : comparison.metrics) {
    if (metric.is_applicable()) {
      table.rows.push_back({metric.id, share_text(*metric.value)});
    }
  }
  Section section{.title = "Metrics"};
  return table.rows.empty() ? section : section.add(std::move(table));
}

// "collective_wait_ratio is not known: ...", one line for each of the others.
std::vector<std::string> unknown_lines(const std::vector<metric::Metric>& metrics) {
  std::vector<std::string> lines;
  for (const metric::Metric& metric : metrics) {
    if (!metric.is_applicable()) {
      lines.push_back(metric.id + " is not known: " + metric.reason);
    }
  }
  return lines;
}

Section unknown_section(const TraceComparison& comparison) {
  Section section{.title = "What could not be known, and why"};
  std::vector<std::string> lines = unknown_lines(comparison.metrics);
  return lines.empty() ? section : section.add(List{shown_lines(std::move(lines))});
}

Section remarks_section(const TraceComparison& comparison) {
  Section section{.title = "Remarks"};
  std::vector<std::string> lines = unknown_lines(comparison.metrics);
  lines.insert(lines.end(), comparison.remarks.begin(), comparison.remarks.end());
  return lines.empty() ? section : section.add(List{std::move(lines)});
}

Section answer_section(const TraceComparison& comparison, const AnalysisRecord& record) {
  std::vector<std::string> doubts = shown_lines(record.warnings);
  const std::vector<std::string> remarks = shown_lines(comparison.remarks);
  doubts.insert(doubts.end(), remarks.begin(), remarks.end());
  Section section{.title = "tune analyze: " + shortened(comparison.title, kLongestTitle),
                  .is_begin = true};
  return section.add(Headline{one_line(comparison.headline)})
      .add(Sentence{.text = "Analysed " + one_line(record.started_utc) + ".", .is_quiet = true})
      .add(Doubts{.items = std::move(doubts), .are_all_shown = true});
}

Section time_section(const TraceComparison& comparison) {
  Section section{.title = "Where the time of a step goes"};
  const auto drawing = role_bars(comparison.bars);
  if (!drawing) {
    return section;
  }
  section.add(Figure{{*drawing}, "Mean steps on one scale: shorter is faster. Parts sum to them."});
  if (comparison.bars.bars.size() > kMostBars) {
    section.add(Sentence{"The first " + std::to_string(kMostBars) +
                         " are drawn; result.json has all of them."});
  }
  return section;
}

Section table_section(table::Table table) {
  constexpr std::size_t kMostRows = 100;
  table::keep_top(table, kMostRows);
  return {.title = table.title, .blocks = table_blocks(table, table.title + ", in numbers")};
}

Section run_method_section() {
  Section section{.title = "How it was computed"};
  return section.add(analysis_method());
}

}  // namespace

std::string to_lines(const TraceComparison& comparison, std::size_t width, std::size_t rows) {
  std::string text;
  for (table::Table table : comparison.tables) {
    table::keep_top(table, rows);
    text += table.is_applicable() ? table.title + "\n" : "";
    text += to_lines(table, width) + "\n";
  }
  const std::string metrics = to_lines(metrics_section(comparison).blocks, kInTerminal);
  text += metrics.empty() ? "" : metrics + "\n";
  return text + to_lines(remarks_section(comparison).blocks, kInTerminal);
}

std::string to_markdown(const TraceComparison& comparison) {
  constexpr std::size_t kMostRows = 20;
  std::string text = "# " + escape_markdown(comparison.title) + "\n\n**" +
                     escape_markdown(comparison.headline) + "**\n";
  for (table::Table table : comparison.tables) {
    table::keep_top(table, kMostRows);
    text += "\n## " + escape_markdown(table.title) + "\n\n" + to_markdown(table);
  }
  for (const Section& section : {metrics_section(comparison), remarks_section(comparison)}) {
    const std::string body = to_markdown(section.blocks);
    text += body.empty() ? "" : "\n## " + section.title + "\n\n" + body;
  }
  return text;
}

std::string to_comparison_html(const TraceComparison& comparison, const AnalysisRecord& record) {
  Markup body = to_markup(answer_section(comparison, record));
  body.append(to_markup(time_section(comparison)));
  for (const table::Table& table : comparison.tables) {
    body.append(to_markup(table_section(table)));
  }
  for (const Section& section : {metrics_section(comparison),
                                 unknown_section(comparison),
                                 run_method_section(),
                                 analysis_reproduce_section(record)}) {
    body.append(to_markup(section));
  }
  return html_page(
      "tune analyze: " + shortened(comparison.title, kLongestTitle), record.tune_version, body);
}

}  // namespace tune::report
