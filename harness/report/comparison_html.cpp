#include "report/comparison_html.h"

#include "report/analysis_method.h"
#include "report/html_page.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/table_html.h"

#include <algorithm>

namespace tune::report {

namespace {

constexpr std::size_t kLongestTitle = 200;
constexpr std::size_t kMostLines = 100;
constexpr std::size_t kMostRows = 100;

std::vector<std::string> first_lines(const std::vector<std::string>& all) {
  std::vector<std::string> lines;
  lines.reserve(std::min(all.size(), kMostLines));
  for (std::size_t i = 0; i < std::min(all.size(), kMostLines); ++i) {
    lines.push_back(shortened(all[i], 2 * kLongestTitle));
  }
  return lines;
}

Markup answer_section(const TraceComparison& comparison, const AnalysisRecord& record) {
  std::vector<std::string> doubts = first_lines(record.warnings);
  const std::vector<std::string> remarks = first_lines(comparison.remarks);
  doubts.insert(doubts.end(), remarks.begin(), remarks.end());
  Markup html;
  html.open("header").line();
  html.leaf("h1", "tune analyze: " + shortened(comparison.title, kLongestTitle)).line();
  html.leaf("p", one_line(comparison.headline), {{"class", "headline"}, {"id", "headline"}}).line();
  html.append(paragraph("Analysed " + one_line(record.started_utc) + ".", "quiet"));
  html.append(trust_banner(doubts));
  return html.close().line();
}

Markup time_section(const TraceComparison& comparison) {
  Markup html;
  const auto drawing = role_bars(comparison.bars);
  if (!drawing) {
    return html;
  }
  html.open("section").leaf("h2", "Where the time of a step goes").line();
  html.append(figure({*drawing}, "Mean steps on one scale: shorter is faster. Parts sum to them."));
  if (comparison.bars.bars.size() > kMostBars) {
    html.append(paragraph("The first " + std::to_string(kMostBars) +
                          " are drawn; result.json has all of them."));
  }
  return html.close().line();
}

Markup table_section(const table::Table& whole) {
  table::Table table = whole;
  table::keep_top(table, kMostRows);
  Markup html;
  html.open("section").leaf("h2", table.title).line();
  html.append(table_html(table, table.title + ", in numbers"));
  return html.close().line();
}

Markup metrics_section(const TraceComparison& comparison) {
  const TextTable metrics = metric_table(comparison.metrics);
  const std::vector<std::string> unknown = first_lines(unknown_lines(comparison.metrics));
  Markup html;
  if (!metrics.rows.empty()) {
    html.open("section").leaf("h2", "Metrics").line();
    html.append(table_html(metrics, "Over all traces together")).close().line();
  }
  if (!unknown.empty()) {
    html.open("section").leaf("h2", "What could not be known, and why").line();
    html.append(bullets(unknown)).close().line();
  }
  return html;
}

}  // namespace

std::string to_comparison_html(const TraceComparison& comparison, const AnalysisRecord& record) {
  Markup body = answer_section(comparison, record);
  body.append(time_section(comparison));
  for (const table::Table& table : comparison.tables) {
    body.append(table_section(table));
  }
  body.append(metrics_section(comparison));
  body.open("section").leaf("h2", "How it was computed").line();
  body.append(bullets(analysis_method_lines())).close().line();
  body.append(analysis_reproduce_section(record));
  return html_page(
      "tune analyze: " + shortened(comparison.title, kLongestTitle), record.tune_version, body);
}

}  // namespace tune::report
