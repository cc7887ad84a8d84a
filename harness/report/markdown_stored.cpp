// report.md of a result.json alone.

#include "report/format/stored_text.h"
#include "report/markdown.h"
#include "report/markdown_page.h"
#include "report/markup.h"
#include "report/run_facts.h"
#include "report/run_record_tables.h"
#include "report/run_record_text.h"
#include "report/stored_pages.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostRows = 12, kMostRowsOfAPage = 500;  // in a comment; with more room
constexpr std::size_t kMostLines = 20, kMostRecommendations = 5;

std::string bulleted(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
    text += "- " + escape_markdown(lines[i]) + "\n";
  }
  return lines.size() <= kMostLines
             ? text
             : text + "- " + std::to_string(lines.size() - kMostLines) + " more\n";
}

std::string listed(const TextTable& table, std::size_t all) {
  if (table.rows.empty()) {
    return "";
  }
  const std::size_t left_out = all - std::min(all, table.rows.size());
  return to_markdown(table) +
         (left_out == 0 ? "" : "\n" + std::to_string(left_out) + " more are in result.json.\n");
}

std::string title(const result::Result& record) {
  std::string text = comment_marker(record.scenario.name);
  text += "## " + escape_markdown(title_of(record)) + "\n\n";
  text += "**" + escape_markdown(headline_of(record)) + "**\n\n";
  text += escape_markdown(what_is_missing(record)) + "\n";
  for (const std::string& doubt : doubts_of(record)) {
    text += "\n- Note: " + escape_markdown(doubt);
  }
  return text.ends_with('\n') ? text : text + "\n";
}

// Opens by a click; in it nothing of Markdown is nested but a list.
std::string card(const result::Recommendation& each) {
  std::string text =
      "<details>\n<summary>" +
      escape_summary(short_text(both(each.id, ". ", each.title) + " (" + each.rule + ")")) +
      "</summary>\n\n";
  text += "- predicted " + escape_markdown(short_text(predicted_words(each.predicted.gain))) + "\n";
  text += "- measured " + escape_markdown(short_text(gain_words(each.measured.gain))) + "\n";
  text += bulleted(change_lines(each.change));
  return text + "\n</details>\n\n";
}

std::string advice_of(const result::Result& record) {
  const auto& all = record.recommendations;
  std::string text = listed(recommendations_table(record, kMostRecommendations), all.size());
  text += text.empty() ? "" : "\n";
  for (std::size_t i = 0; i < std::min(all.size(), kMostRecommendations); ++i) {
    text += card(all[i]);
  }
  return text + bulleted(finding_lines(record));
}

std::string failures_of(const result::Result& record) {
  TextTable table = failures_table(record, record.cells.size());
  const std::size_t all = table.rows.size();
  table.rows.resize(std::min(all, kMostLines));
  return listed(table, all);
}

std::string record_of(const result::Result& record) {
  const result::Result& result = record;
  const std::string environment =
      both(both(result.environment.cpu_model.text, ", ", result.environment.device),
           ", LibTorch ",
           result.environment.worker.torch_version);
  std::string text =
      environment.empty() ? "" : "Environment: " + escape_markdown(short_text(environment)) + ".\n";
  if (!record.provenance.command.empty()) {
    text += "\nRun it again:\n\n    " + shortened(command_line(record.provenance.command), 1'600) +
            "\n";
  }
  return text;
}

}  // namespace

std::string to_markdown(const result::Result& record, std::size_t limit_bytes) {
  const std::size_t most = limit_bytes > kMarkdownLimitBytes ? kMostRowsOfAPage : kMostRows;
  const result::Result& result = record;
  return markdown_page(
      {{"", title(record)},
       {"Settings, ranked", listed(settings_table(record, most), result.cells.size())},
       {"What limits the baseline", advice_of(record)},
       {"Fresh pairs", listed(pairs_table(record), 0)},
       {"What a step consists of", listed(steps_table(record), 0)},
       {"What failed", failures_of(record)},
       {"Record", record_of(record)}},
      limit_bytes);
}

}  // namespace tune::report
