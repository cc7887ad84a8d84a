#include "report/gate_text.h"

#include "base/units.h"
#include "report/number_text.h"

#include <algorithm>
#include <cmath>

namespace tune::report {

namespace {

using gate::CountedRow;
using gate::GateResult;
using gate::Row;
using stats::GateVerdict;

std::string percent(double ratio) {
  return share_text(ratio);
}

std::string delta_text(const Row& row) {
  campaign::Estimate delta;
  delta.value = row.delta;
  if (row.has_interval) {
    delta.lower = row.delta_lower;
    delta.upper = row.delta_upper;
  }
  delta.n = row.pairs;
  return gain_text(row.delta) + " " + gain_interval_text(delta);
}

std::string range_text(double low, double high, const std::string& unit) {
  return low == high ? metric_text(low, unit)
                     : metric_text(low, unit) + " to " + metric_text(high, unit);
}

std::string counted_delta(const CountedRow& row) {
  if (row.baseline_low == row.candidate_low && row.baseline_high == row.candidate_high) {
    return "equal";
  }
  return row.baseline_high > 0 ? gain_text(row.candidate_low / row.baseline_high - 1) : "new";
}

// How bad: what is reported first.
int rank(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::regressed:
      return 0;
    case GateVerdict::inconclusive:
      return 1;
    case GateVerdict::improved:
      return 2;
    case GateVerdict::pass:
      return 3;
  }
  return 3;
}

}  // namespace

std::string metric_text(double value, const std::string& unit) {
  if (unit == "B") {
    return format_bytes(std::llround(value));
  }
  if (unit == "s") {
    return format_seconds(value);
  }
  if (unit == "calls") {
    return std::to_string(std::llround(value));
  }
  return number_text(value) + " " + unit;
}

std::string gate_headline(const GateResult& result) {
  const std::string word = gate::verdict_word(result.verdict);
  if (result.end != gate::End::judged) {
    return word + ": " + result.end_reason;
  }
  const Row* worst = nullptr;
  for (const Row& row : result.rows) {
    const bool is_worse = worst == nullptr || rank(row.verdict) < rank(worst->verdict) ||
                          (rank(row.verdict) == rank(worst->verdict) &&
                           row.evidence.estimate > worst->evidence.estimate);
    worst = is_worse ? &row : worst;
  }
  if (worst == nullptr || worst->verdict != result.verdict) {
    return word + ": " + result.why;
  }
  const std::string why = worst->verdict == GateVerdict::inconclusive ? "; " + worst->why : "";
  return word + ": " + worst->metric + " " + delta_text(*worst) + " in " +
         counted(worst->pairs, "pair") + ", budget " + percent(worst->budget_ratio) + why;
}

std::string changed_counts(const GateResult& result) {
  std::string names;
  for (const CountedRow& row : result.counted) {
    if (row.verdict == GateVerdict::regressed || row.verdict == GateVerdict::improved) {
      names += (names.empty() ? "" : ", ") + row.metric + " " + counted_delta(row);
    }
  }
  return names;
}

std::vector<std::string> gate_warnings(const GateResult& result) {
  std::vector<std::string> warnings = result.policy.accepted;
  warnings.insert(warnings.end(), result.run.warnings.begin(), result.run.warnings.end());
  if (result.sides_are_equal && !result.policy.structural_only &&
      result.end != gate::End::nothing_changed) {
    warnings.emplace_back(
        "both sides are the same: this measures the noise of the machine, not a change");
  }
  campaign::SliceCount slices;
  std::string example;
  for (const auto* pairs : {&result.pairs, &result.lost_pairs}) {
    for (const gate::Pair& pair : *pairs) {
      for (const gate::ProcessSummary* side : {&pair.baseline, &pair.candidate}) {
        slices += side->slices;
        example = example.empty() && !side->taints.empty() ? side->taints.front() : example;
      }
    }
  }
  if (slices.tainted > 0) {
    warnings.push_back(std::to_string(slices.tainted) + " of " + std::to_string(slices.all()) +
                       " slices were disturbed and do not count (" + example + ")");
  }
  for (const auto& [side, tally] : {std::pair("candidate", &result.candidate_steadiness),
                                    std::pair("baseline", &result.baseline_steadiness)}) {
    if (tally->not_steady > 0) {
      warnings.push_back(tally->text(std::string("processes of the ") + side));
    }
  }
  if (result.position && result.position->is_large) {
    warnings.push_back(result.position->warning);
  }
  if (result.epoch && std::abs(result.epoch->difference()) > campaign::kEpochMismatch) {
    warnings.push_back(campaign::mismatch_text(*result.epoch));
  }
  const std::string counts = changed_counts(result);
  const bool slower = std::any_of(result.rows.begin(), result.rows.end(), [](const Row& row) {
    return row.verdict == GateVerdict::regressed;
  });
  if (slower && !counts.empty()) {
    warnings.push_back("one step also does something else than before (" + counts +
                       "): the likely cause");
  }
  return warnings;
}

GateTable gate_table(const GateResult& result) {
  GateTable table;
  table.heading = {
      "metric", "baseline", "candidate", "change", "budget", "detectable", "pairs", "verdict"};
  std::vector<const Row*> rows;
  for (const Row& row : result.rows) {
    rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
    return rank(a->verdict) < rank(b->verdict);
  });
  for (const Row* row : rows) {
    table.rows.push_back({row->metric,
                          metric_text(row->baseline.value, row->unit),
                          metric_text(row->candidate.value, row->unit),
                          delta_text(*row),
                          percent(row->budget_ratio),
                          row->mde ? percent(*row->mde) : "",
                          std::to_string(row->pairs),
                          gate::verdict_word(row->verdict)});
  }
  for (const CountedRow& row : result.counted) {
    const bool is_equal = row.verdict == GateVerdict::pass;
    table.rows.push_back({row.metric,
                          range_text(row.baseline_low, row.baseline_high, row.unit),
                          range_text(row.candidate_low, row.candidate_high, row.unit),
                          counted_delta(row),
                          row.is_gated ? percent(row.budget_ratio) : "",
                          "",
                          "",
                          row.is_gated ? gate::verdict_word(row.verdict)
                          : is_equal   ? "equal"
                                       : "differs"});
  }
  return table;
}

}  // namespace tune::report
