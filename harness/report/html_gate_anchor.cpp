// The section of a gate's report.html about its second comparison.

#include "report/gate_row_words.h"
#include "report/html_gate_sections.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

namespace {

using Align = RankedTable::Align;

constexpr std::size_t kLongestWords = 200, kLongestMetric = 80, kLongestWhy = 600;

HtmlTable table_of(const StoredAnchor& anchor) {
  HtmlTable table{.caption = "The worst first. Change: candidate against the anchor.",
                  .columns = {{"metric"},
                              {"anchor", Align::right},
                              {"candidate", Align::right},
                              {"change", Align::right},
                              {"interval", Align::right},
                              {"budget", Align::right},
                              {"verdict"},
                              {"detectable", Align::right},
                              {"pairs", Align::right}}};
  for (const StoredGateRow* const row : worst_first(anchor.rows, true)) {
    if (table.rows.size() == kMostListed) {
      break;
    }
    table.rows.push_back({shortened(row->metric, kLongestMetric),
                          value_words(row->baseline, row->unit),
                          value_words(row->candidate, row->unit),
                          row->delta.value ? gain_text(*row->delta.value) : "not measured",
                          interval_words(row->delta),
                          row->budget ? share_text(*row->budget) : "none",
                          row->verdict,
                          row->mde ? share_text(*row->mde) : "not known",
                          std::to_string(row->pairs)});
  }
  return table;
}

std::string verdict_sentence(const StoredAnchor& anchor) {
  if (!anchor.skipped.empty()) {
    return "It was not compared: " + shortened(anchor.skipped, kLongestWhy) + ".";
  }
  const std::string& why = anchor.why.empty() ? anchor.end_reason : anchor.why;
  return anchor.verdict + ": " + shortened(why, kLongestWhy) + ".";
}

}  // namespace

Markup gate_anchor_section(const GateRecord& record) {
  Markup html;
  const auto& anchor = record.result.gate->anchor;
  if (!anchor) {
    return html;
  }
  html.open("section").leaf("h2", "Against the anchor").line();
  html.append(paragraph("Anchor: " + shortened(anchor->words, kLongestWords) +
                        ". What many changes cost together, each within its own budget."));
  if (!anchor->rows.empty()) {
    html.append(html_table(table_of(*anchor)));
    html.append(
        rest_in_json(anchor->rows.size() - std::min(anchor->rows.size(), kMostListed), "row"));
  }
  html.append(paragraph(verdict_sentence(*anchor)));
  if (!anchor->move.empty()) {
    html.append(paragraph("Next: " + shortened(anchor->move, kLongestWhy) + "."));
  }
  html.append(bullets(anchor->warnings));
  if (!anchor->directory.empty()) {
    html.append(
        paragraph("Its pairs and looks are in anchor/report.html, beside this page.", "quiet"));
  }
  return html.close().line();
}

}  // namespace tune::report
