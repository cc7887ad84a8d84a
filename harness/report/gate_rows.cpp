// What a gate says of single metrics and counts.

#include "base/text.h"
#include "report/format/stored_text.h"
#include "report/gate_row_words.h"
#include "report/gate_sections.h"
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

using Align = Table::Align;

constexpr std::size_t kLongestMetric = 80, kLongestWhy = 600;

void add_row(const GateRecord& record, const result::GateRow& row, Table& table) {
  const auto noise = noise_of(changes_of(record.gate().pairs, row.metric));
  table.rows.push_back({shortened(row.metric, kLongestMetric),
                        value_words(row.baseline, row.unit),
                        value_words(row.candidate, row.unit),
                        gain_text(row.delta.value),
                        interval_words(row.delta),
                        share_or(row.budget, "none"),
                        row.verdict,
                        share_or(noise, "not known"),
                        share_or(row.mde, "not known")});
  if (record.gate()
          .calibrated_mde) {  // how long things take was calibrated, not how large they are
    table.rows.back().push_back(is_amount(row) ? "" : share_text(*record.gate().calibrated_mde));
  }
  table.rows.back().push_back(std::to_string(row.pairs));
}

void add_count(const result::GateRow& row, Table& table) {
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

Table judged_table(const GateRecord& record, const std::vector<const result::GateRow*>& rows) {
  Table table{.caption =
                  "The worst first. Change: candidate against baseline. Noise: half of "
                  "the pairs are at most so far from their median. Detectable: the smallest "
                  "worsening that 90 % of such gates would find.",
              .columns = {{"metric"},
                          {"baseline", Align::right},
                          {"candidate", Align::right},
                          {"change", Align::right},
                          {"interval", Align::right},
                          {"budget", Align::right},
                          {"verdict"},
                          {"noise", Align::right},
                          {"detectable", Align::right}}};
  if (record.gate().calibrated_mde) {
    table.columns.push_back({"detectable, calibrated", Align::right});
  }
  table.columns.push_back({"pairs", Align::right});
  const std::size_t shown = std::min(rows.size(), kMostListed);
  for (std::size_t i = 0; i < shown; ++i) {
    add_row(record, *rows[i], table);
  }
  table.left_out = rows.size() - shown;
  return table;
}

Table counts_table(const std::vector<const result::GateRow*>& rows) {
  Table table{.caption = "Counts of one step: exact on any machine, without an interval",
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
  table.left_out = rows.size() - shown;
  return table;
}

// Why each metric was judged so, and each count that was not fine.
List reasons(const std::vector<result::GateRow>& rows) {
  constexpr std::size_t kLongestItem = 400;
  List list;
  for (const result::GateRow& row : rows) {
    if (row.is_measured || row.verdict != "PASS") {
      list.items.push_back(shortened(row.metric, kLongestItem) + ": " +
                           shortened(row.why, kLongestItem));
    }
  }
  return list;
}

bool is_equal_count(const result::GateRow& row) {
  return !row.is_measured && row.verdict == "PASS" && row.delta.value && *row.delta.value == 0;
}

std::vector<result::GateRow> different_rows(std::vector<result::GateRow> rows) {
  std::erase_if(rows, is_equal_count);
  return rows;
}

// "operators, allocations": the counts that did not change, whose numbers result.json has.
std::string equal_counts(const std::vector<result::GateRow>& rows) {
  constexpr std::size_t kMostNamed = 12;
  std::vector<std::string> names;
  for (const result::GateRow& row : rows) {
    if (is_equal_count(row)) {
      names.push_back(shortened(row.metric, kLongestMetric));
    }
  }
  const std::size_t all = names.size();
  names.resize(std::min(all, kMostNamed));
  return joined(names) +
         (all > kMostNamed ? " and " + std::to_string(all - kMostNamed) + " more" : "");
}

// A sentence has no room between numbers.
void add_sentences(const std::vector<const result::GateRow*>& rows, Section& section) {
  for (std::size_t i = 0; i < std::min(rows.size(), kMostListed); ++i) {
    const result::GateRow& row = *rows[i];
    section.add(Sentence{shortened(row.metric, kLongestMetric) + ": " + row.verdict +
                         (row.why.empty() ? "" : ", " + shortened(row.why, kLongestWhy)) + "."},
                kInHtml);
  }
}

}  // namespace

Section gate_rows_section(const GateRecord& record) {
  const result::Gate& gate = *record.result.gate;
  Section section{.title = "Verdict of each metric"};
  if (!gate.rows.empty()) {
    section.add(table_of_rows(gate.rows), kAsLines);
    add_folding(table_of_rows(different_rows(gate.rows)), kInMarkdown, section);
    if (const std::string equal = equal_counts(gate.rows); !equal.empty()) {
      section.add(Sentence{"Equal: " + equal + "."}, kInMarkdown);
    }
    section.add(reasons(gate.rows), kInMarkdown);
  }
  const auto rows = worst_first(gate.rows, true);
  if (rows.empty()) {
    return section.add(
        Sentence{"No metric was judged by pairs" + (gate.why.empty() ? "" : ": " + gate.why) + "."},
        kInHtml);
  }
  section.add(judged_table(record, rows), kInHtml);
  add_sentences(rows, section);
  if (!record.gate().calibration.empty()) {
    section.add(Sentence{.text = "Noise of this machine: " + record.gate().calibration + ".",
                         .is_quiet = true},
                kInHtml);
  }
  return section;
}

Section gate_counts_section(const GateRecord& record) {
  const auto rows = worst_first(record.result.gate->rows, false);
  Section section{.title = "What one step does"};
  return rows.empty() ? section : section.add(counts_table(rows), kInHtml);
}

}  // namespace tune::report
