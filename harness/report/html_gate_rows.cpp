// Sections of a gate's report.html that say what was judged, and when.

#include "report/format/stored_text.h"
#include "report/gate_row_words.h"
#include "report/html_gate_sections.h"
#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using Align = RankedTable::Align;

constexpr std::size_t kMostLookRows = 1'000;
constexpr std::size_t kLongestMetric = 80, kLongestWhy = 600;

std::string share_or(std::optional<double> ratio, const char* otherwise) {
  return ratio ? share_text(*ratio) : otherwise;
}

// 0.33 %: alphas are smaller than what a share is rounded to.
std::string alpha_text(std::optional<double> alpha) {
  return alpha ? number_text(*alpha * 100) + " %" : "not known";
}

void add_row(const GateRecord& record, const StoredGateRow& row, HtmlTable& table) {
  const auto noise = noise_of(changes_of(record.pairs, row.metric));
  table.rows.push_back({shortened(row.metric, kLongestMetric),
                        value_words(row.baseline, row.unit),
                        value_words(row.candidate, row.unit),
                        row.delta.value ? gain_text(*row.delta.value) : "not measured",
                        interval_words(row.delta),
                        share_or(row.budget, "none"),
                        row.verdict,
                        share_or(noise, "not known"),
                        share_or(row.mde, "not known")});
  if (record.calibrated_mde) {  // how long things take was calibrated, not how large they are
    table.rows.back().push_back(row.unit == "B" ? "" : share_text(*record.calibrated_mde));
  }
  table.rows.back().push_back(std::to_string(row.pairs));
}

void add_count(const StoredGateRow& row, HtmlTable& table) {
  const bool is_equal = row.verdict == "PASS";
  const bool is_new = !row.delta.value;
  table.rows.push_back({shortened(row.metric, kLongestMetric),
                        value_words(row.baseline, row.unit),
                        value_words(row.candidate, row.unit),
                        is_equal ? "equal"
                        : is_new ? "new"
                                 : gain_text(*row.delta.value),
                        row.is_gated ? share_or(row.budget, "none") : "not gated",
                        row.is_gated ? row.verdict
                        : is_equal   ? "equal"
                                     : "differs",
                        shortened(row.why, kLongestWhy)});
}

// From ln(how much worse) to a ratio - 1.
std::string worse_by(std::optional<double> log_worse) {
  return log_worse ? gain_text(std::expm1(*log_worse)) : "not known";
}

void add_look(const GateLook& look, const GateLookRow& row, HtmlTable& table) {
  table.rows.push_back(
      {std::to_string(look.look),
       look.utc,
       std::to_string(look.pairs),
       alpha_text(look.alpha_spent),
       alpha_text(look.alpha_total),
       shortened(row.metric, kLongestMetric),
       worse_by(row.estimate),
       row.lower && row.upper ? worse_by(row.lower) + " to " + worse_by(row.upper) : "none",
       row.p ? rounded_text(*row.p, 2) : "not known",
       share_or(row.mde, "not known"),
       row.verdict,
       std::to_string(look.baseline_tainted),
       std::to_string(look.candidate_tainted)});
}

std::string plan_sentence(const GateRecord& record) {
  std::string text = "Nothing is decided between looks";
  if (!record.looks_at.empty()) {
    text += "; planned were";
    for (const std::int64_t& pairs : record.looks_at) {
      text += (&pairs == &record.looks_at.front() ? " " : ", ") + std::to_string(pairs);
    }
    text += " pairs";
  }
  return record.alpha ? text + ". Over all of them a gate may err with a probability of " +
                            alpha_text(*record.alpha) + " towards either side."
                      : text + ".";
}

}  // namespace

Markup gate_rows_section(const GateRecord& record) {
  const auto rows = worst_first(record.result.gate->rows, true);
  Markup html;
  html.open("section").leaf("h2", "Verdict of each metric").line();
  if (rows.empty()) {
    const std::string& why = record.result.gate->why;
    html.append(paragraph("No metric was judged by pairs" + (why.empty() ? "" : ": " + why) + "."));
    return html.close().line();
  }
  HtmlTable table{.caption =
                      "The worst first. Change: candidate against baseline. Noise: half of "
                      "the pairs lie so near to their median. Detectable: the smallest "
                      "worsening that 90 % of such gates find.",
                  .columns = {{"metric"},
                              {"baseline", Align::right},
                              {"candidate", Align::right},
                              {"change", Align::right},
                              {"interval", Align::right},
                              {"budget", Align::right},
                              {"verdict"},
                              {"noise", Align::right},
                              {"detectable", Align::right}}};
  if (record.calibrated_mde) {
    table.columns.push_back({"detectable, calibrated", Align::right});
  }
  table.columns.push_back({"pairs", Align::right});
  const std::size_t shown = std::min(rows.size(), kMostListed);
  for (std::size_t i = 0; i < shown; ++i) {
    add_row(record, *rows[i], table);
  }
  html.append(html_table(table));
  html.append(rest_in_json(rows.size() - shown, "row"));
  for (std::size_t i = 0; i < shown; ++i) {  // a sentence has no room between numbers
    html.append(
        paragraph(shortened(rows[i]->metric, kLongestMetric) + ": " + rows[i]->verdict +
                  (rows[i]->why.empty() ? "" : ", " + shortened(rows[i]->why, kLongestWhy)) + "."));
  }
  if (!record.calibration.empty()) {
    html.append(paragraph("Noise of this machine: " + record.calibration + ".", "quiet"));
  }
  return html.close().line();
}

Markup gate_counts_section(const GateRecord& record) {
  const auto rows = worst_first(record.result.gate->rows, false);
  Markup html;
  if (rows.empty()) {
    return html;
  }
  html.open("section").leaf("h2", "What one step does").line();
  HtmlTable table{.caption = "Counts of one step: exact on any machine, without an interval",
                  .columns = {{"count"},
                              {"baseline", Align::right},
                              {"candidate", Align::right},
                              {"change", Align::right},
                              {"budget", Align::right},
                              {"verdict"},
                              {"why"}}};
  const std::size_t shown = std::min(rows.size(), kMostListed);
  for (std::size_t i = 0; i < shown; ++i) {
    add_count(*rows[i], table);
  }
  html.append(html_table(table));
  html.append(rest_in_json(rows.size() - shown, "row"));
  return html.close().line();
}

Markup gate_looks_section(const GateRecord& record) {
  Markup html;
  if (record.looks.empty()) {
    return html;
  }
  html.open("section").leaf("h2", "Looks").line().append(paragraph(plan_sentence(record)));
  HtmlTable table{.caption =
                      "What each look spent and said. Worse by: above 0 the candidate is "
                      "slower or larger. Disturbed: slices so far that do not count.",
                  .columns = {{"look"},
                              {"at"},
                              {"pairs", Align::right},
                              {"alpha spent", Align::right},
                              {"alpha so far", Align::right},
                              {"metric"},
                              {"worse by", Align::right},
                              {"interval", Align::right},
                              {"p", Align::right},
                              {"detectable", Align::right},
                              {"verdict"},
                              {"disturbed, baseline", Align::right},
                              {"disturbed, candidate", Align::right}}};
  std::size_t all = 0;
  for (const GateLook& look : record.looks) {
    for (const GateLookRow& row : look.rows) {
      if (++all <= kMostLookRows) {
        add_look(look, row, table);
      }
    }
  }
  html.append(html_table(table));
  html.append(rest_in_json(all - std::min(all, kMostLookRows), "row"));
  return html.close().line();
}

}  // namespace tune::report
