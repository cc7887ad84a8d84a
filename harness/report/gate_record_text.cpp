#include "report/gate_record_text.h"

#include "report/gate_row_words.h"
#include "report/gate_text.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/text_table.h"

#include <algorithm>
#include <tuple>

namespace tune::report {

namespace {

std::string amount(const std::optional<double>& value, const std::string& unit) {
  return value ? metric_text(*value, unit) : "not measured";
}

std::string range_words(const StoredRange& range, const std::string& unit) {
  return range.low == range.high ? amount(range.low, unit)
                                 : amount(range.low, unit) + " to " + amount(range.high, unit);
}

std::string share(const std::optional<double>& ratio) {
  return ratio ? share_text(*ratio) : "";
}

std::string change_words(const StoredGateRow& row) {
  if (!row.delta.value) {
    return "not measured";
  }
  campaign::Estimate change;
  change.value = *row.delta.value;
  change.lower = row.delta.lower;
  change.upper = row.delta.upper;
  change.n = row.pairs;
  return gain_text(change.value) + " " + gain_interval_text(change);
}

bool is_equal(const StoredGateRow& row) {
  return row.baseline.low == row.candidate.low && row.baseline.high == row.candidate.high;
}

std::string counted_change(const StoredGateRow& row) {
  if (is_equal(row)) {
    return "equal";
  }
  return row.baseline.high.value_or(0) > 0 && row.candidate.low
             ? gain_text(*row.candidate.low / *row.baseline.high - 1)
             : "new";
}

std::vector<std::string> cells_of(const StoredGateRow& row) {
  if (row.is_measured) {
    return {row.metric,
            amount(row.baseline.low, row.unit),
            amount(row.candidate.low, row.unit),
            change_words(row),
            share(row.budget),
            share(row.mde),
            std::to_string(row.pairs),
            row.verdict};
  }
  return {row.metric,
          range_words(row.baseline, row.unit),
          range_words(row.candidate, row.unit),
          counted_change(row),
          row.is_gated ? share(row.budget) : "",
          "",
          "",
          row.is_gated            ? row.verdict
          : row.verdict == "PASS" ? "equal"
                                  : "differs"};
}

int rank_of(const StoredGateRow& row) {
  constexpr int kNotGated = 4;
  return !row.is_gated                   ? kNotGated
         : row.verdict == "REGRESSED"    ? 0
         : row.verdict == "INCONCLUSIVE" ? 1
         : row.verdict == "IMPROVED"     ? 2
                                         : 3;
}

// By verdict, of one verdict the measured ones first, of those the worst: as a gate prints them.
TextTable table_of(const StoredGate& gate) {
  std::vector<StoredGateRow> rows = gate.rows;
  std::stable_sort(rows.begin(), rows.end(), [](const StoredGateRow& a, const StoredGateRow& b) {
    const double worse_a = compared_worsening(worsening(a));
    const double worse_b = compared_worsening(worsening(b));
    return std::tuple(rank_of(a), !a.is_measured, -worse_a) <
           std::tuple(rank_of(b), !b.is_measured, -worse_b);
  });
  TextTable table{
      .heading =
          {"metric", "baseline", "candidate", "change", "budget", "detectable", "pairs", "verdict"},
      .last_is_text = true};
  for (const StoredGateRow& row : rows) {
    table.rows.push_back(cells_of(row));
  }
  return table;
}

bool is_timed(const GateRecord& record) {
  const auto& rows = record.result.gate->rows;
  return record.pair_count > 0 || !record.lost_pairs.empty() ||
         std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.is_measured; });
}

std::string anchor_lines(const StoredAnchor& anchor) {
  std::string text = "anchor:    " + one_line(anchor.words) + "\n";
  for (const std::string& warning : anchor.warnings) {
    text += "warning: " + one_line(warning) + "\n";
  }
  const std::string& why = anchor.why.empty() ? anchor.end_reason : anchor.why;
  text += anchor.skipped.empty() ? "against the anchor: " + one_line(anchor.verdict + ": " + why)
                                 : "not compared with the anchor: " + one_line(anchor.skipped);
  return text + "\n" + (anchor.move.empty() ? "" : one_line(anchor.move) + "\n");
}

}  // namespace

std::string gate_record_text(const GateRecord& record, const std::string& report) {
  const StoredGate& gate = *record.result.gate;
  std::string text = "baseline:  " + one_line(gate.baseline.words) +
                     "\ncandidate: " + one_line(gate.candidate.words) + "\n";
  if (const TextTable table = table_of(gate); !table.rows.empty()) {
    text += "\n" + to_lines(table);
  }
  text += "\n";
  for (const std::string& warning : record.result.warnings) {
    text += "warning: " + one_line(warning) + "\n";
  }
  for (const std::string& finding : record.findings) {
    text += "finding: " + one_line(finding) + "\n";
  }
  if (is_timed(record) && !record.calibration.empty()) {
    text += one_line(record.calibration) + "\n";
  }
  if (gate.anchor) {
    text += anchor_lines(*gate.anchor);
  }
  text += report.empty() ? "" : "report:  " + report + "\n";
  return text + one_line(record.headline) + "\n";
}

}  // namespace tune::report
