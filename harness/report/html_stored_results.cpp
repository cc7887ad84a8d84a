// What was measured, on what, and how to do it again, in a page that is made of result.json alone.

#include "report/html_parts.h"
#include "report/html_stored_sections.h"
#include "report/html_table.h"
#include "report/render_blocks.h"
#include "report/role_lanes.h"
#include "report/run_again.h"
#include "report/run_record_tables.h"
#include "report/run_record_text.h"
#include "report/table_html.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostLanes = 2;  // the baseline, and the best setting
constexpr std::size_t kMostFacts = 200;

HtmlTable facts_table(const result::Result& record) {
  HtmlTable table{.caption = "What makes two runs comparable", .columns = {{"fact"}, {"value"}}};
  for (const auto& [name, value] : record.environment.said) {
    if (table.rows.size() < kMostFacts) {
      table.rows.push_back({name, value});
    }
  }
  return table;
}

}  // namespace

Markup stored_steps_section(const result::Result& record) {
  Markup html;
  const std::vector<RecordedSteps> all = recorded_steps_of(record);
  if (all.empty()) {
    return html;
  }
  html.section("What a step consists of");
  std::vector<Markup> drawings;
  for (std::size_t i = 0; i < std::min(all.size(), kMostLanes); ++i) {
    const RecordedSteps& steps = all[i];
    auto drawing = role_lanes({.id = "lanes-" + std::to_string(i + 1),
                               .title = "Exposed and overlapped time of each part of " +
                                        short_text(steps.cell) + ", of all recorded steps",
                               .exposed_ns = steps.exposed_ns,
                               .overlapped_ns = steps.overlapped_ns});
    if (drawing) {
      drawings.push_back(std::move(*drawing));
    }
  }
  if (!drawings.empty()) {
    html.append(figure(drawings,
                       "Of each part of the recorded steps, filled what is exposed, outlined what "
                       "parts above it hide. Only exposed time can be gained."));
  }
  html.append(table_html(steps_table(record), "Shares of the recorded steps"));
  return html.close().line();
}

Markup stored_pairs_section(const result::Result& record) {
  Markup html;
  const TextTable table = pairs_table(record);
  return table.rows.empty() ? html
                            : html.section("Fresh pairs")
                                  .append(table_html(table, "Settings that ran in fresh pairs"))
                                  .close()
                                  .line();
}

Markup stored_ranking_section(const result::Result& record, const PageDetail& detail) {
  Markup html;
  const std::size_t all = record.cells.size();
  if (all == 0) {
    return html;
  }
  const TextTable table = settings_table(record, detail.settings);
  html.section("Settings, ranked");
  html.append(table_html(table, "Settings of the search, ranked"));
  html.append(rest_in_json(all - table.rows.size(), "setting"));
  return html
      .append(paragraph("In search: against the baseline of the same round. The search only ranks; "
                        "gains come from fresh pairs.",
                        "quiet"))
      .close()
      .line();
}

Markup stored_failures_section(const result::Result& record, const PageDetail& detail) {
  Markup html;
  if (record.cells.empty()) {
    return html;
  }
  TextTable table = failures_table(record, record.cells.size());
  const std::size_t all = table.rows.size();
  table.rows.resize(std::min(all, detail.settings));
  html.section("What failed");
  html.append(table.rows.empty() ? paragraph("Every setting that ran completed every trial.")
                                 : table_html(table, "Settings of which trials failed"));
  return html.append(rest_in_json(all - table.rows.size(), "setting")).close().line();
}

Markup stored_metrics_section(const result::Result& record, const PageDetail& detail) {
  Markup html;
  const std::size_t all = record.metrics.size();
  if (all == 0) {
    return html;
  }
  const TextTable table = metrics_table(record, detail.settings);
  html.section("Metrics");
  html.append(folded("All metrics: " + std::to_string(all),
                     table_html(table, "Every number that has a name, with its interval")));
  return html.append(rest_in_json(all - table.rows.size(), "metric")).close().line();
}

Markup stored_environment_section(const result::Result& record) {
  Markup html;
  const HtmlTable table = facts_table(record);
  html.section("Environment");
  html.append(table.rows.empty() ? paragraph("The machine was not recorded.") : html_table(table));
  return html.close().line();
}

Markup stored_trials_section(const result::Result& record, const PageDetail& detail) {
  Markup html;
  const std::size_t all = record.provenance.trials.size();
  if (all == 0) {
    return html;
  }
  const TextTable table = trials_table(record, detail.trials);
  html.section("Trials");
  html.append(folded("All trials: " + std::to_string(all),
                     table_html(table, "Every trial in the order run")));
  return html.append(rest_in_json(all - table.rows.size(), "trial")).close().line();
}

Markup stored_reproduce_section(const result::Result& record, const PageDetail& detail) {
  const result::Result& result = record;
  Markup html;
  html.section("Run it again");
  const auto cut = [](const std::string& text) { return text.empty() ? text : short_text(text); };
  html.append(to_markup(run_again({.command = record.provenance.command,
                                   .overrides = {},
                                   .seed = result::seed_text(record.provenance),
                                   .scenario_file = cut(result.scenario.file),
                                   .scenario_sha256 = cut(result.scenario.sha256),
                                   .version = cut(result.provenance.tune_version),
                                   .commit = cut(result.provenance.commit.text)})));
  if (!result.scenario.text.empty()) {
    const CutText shown = cut_text(result.scenario.text, detail.scenario_bytes);
    Markup inside = preformatted(shown.text);
    inside.append(shown.remark.empty() ? Markup() : paragraph(shown.remark));
    html.append(folded("The scenario, as it was run", inside));
  }
  html.append(paragraph(detail.has_data
                            ? "Every number of this page, and more, is in result.json, and in this "
                              "page's element tune-result."
                            : "Every number of this page, and more, is in result.json, which is "
                              "too large to be in this page as well."));
  return html.close().line();
}

}  // namespace tune::report
