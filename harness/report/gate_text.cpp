#include "report/gate_text.h"

#include "base/units.h"
#include "campaign/run_warnings.h"
#include "report/gate_row_words.h"
#include "report/number_text.h"
#include "report/run_facts.h"
#include "scenario/gate_section.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace tune::report {

namespace {

using gate::CountedRow;
using gate::GateResult;
using gate::Row;
using stats::GateVerdict;

constexpr int kNotGated = 4;  // behind all that is
constexpr double kBudgetStep = 0.005;

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

// A line of the table before it is put in order.
struct RankedRow {
  int rank = 0;
  bool is_counted = false;
  double worsening = 0;
  std::vector<std::string> cells;
};

std::vector<RankedRow> ranked_rows(const std::vector<Row>& rows) {
  std::vector<RankedRow> ranked;
  for (const Row& row : rows) {
    ranked.push_back({.rank = rank(row.verdict),
                      .worsening = row.evidence.estimate,
                      .cells = {row.metric,
                                metric_text(row.baseline.value, row.unit),
                                metric_text(row.candidate.value, row.unit),
                                delta_text(row),
                                percent(row.budget_ratio),
                                row.mde ? percent(*row.mde) : "",
                                std::to_string(row.pairs),
                                gate::verdict_word(row.verdict)}});
  }
  return ranked;
}

RankedRow ranked_row(const CountedRow& row) {
  const bool is_equal = row.verdict == GateVerdict::pass;
  const double before = std::max(row.baseline_high, 1.0);
  return {.rank = row.is_gated ? rank(row.verdict) : kNotGated,
          .is_counted = true,
          .worsening = std::log(std::max(row.candidate_low, 1.0) / before),
          .cells = {row.metric,
                    range_text(row.baseline_low, row.baseline_high, row.unit),
                    range_text(row.candidate_low, row.candidate_high, row.unit),
                    counted_delta(row),
                    row.is_gated ? percent(row.budget_ratio) : "",
                    "",
                    "",
                    row.is_gated ? gate::verdict_word(row.verdict)
                    : is_equal   ? "equal"
                                 : "differs"}};
}

std::vector<std::string> after_the_fact_text(const gate::AfterTheFact& judged) {
  std::vector<std::string> text = {
      "judged after the fact: nothing was measured, the processes are those of " +
      std::string(judged.is_run ? "the run " : "the gate ") + judged.directory + " of " +
      judged.started_utc +
      (judged.is_run ? "" : "; the certainty that these looks spend was spent then")};
  if (judged.other_policy) {
    text.emplace_back(
        "metrics, budgets, looks or baseline are others than then: chosen after the data were "
        "seen, they make this answer advice, not a test");
  }
  return text;
}

GateTable table_of(std::vector<RankedRow> rows) {
  for (RankedRow& row : rows) {
    row.worsening = std::isfinite(row.worsening) ? compared_worsening(row.worsening) : 0;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const RankedRow& a, const RankedRow& b) {
    return std::tie(a.rank, a.is_counted, b.worsening) <
           std::tie(b.rank, b.is_counted, a.worsening);
  });
  GateTable table;
  table.heading = {
      "metric", "baseline", "candidate", "change", "budget", "detectable", "pairs", "verdict"};
  for (RankedRow& row : rows) {
    table.rows.push_back(std::move(row.cells));
  }
  return table;
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

std::string deciding_row_text(const std::vector<Row>& rows, gate::End end, GateVerdict verdict) {
  if (!gate::is_of_rows(end, verdict)) {
    return "";
  }
  const Row* worst = nullptr;
  for (const Row& row : rows) {
    const bool is_worse = worst == nullptr || rank(row.verdict) < rank(worst->verdict) ||
                          (rank(row.verdict) == rank(worst->verdict) &&
                           row.evidence.estimate > worst->evidence.estimate);
    worst = is_worse ? &row : worst;
  }
  if (worst == nullptr || worst->verdict != verdict) {
    return "";
  }
  const std::string why = verdict == GateVerdict::inconclusive ? "; " + worst->why : "";
  return worst->metric + " " + delta_text(*worst) + " in " + counted(worst->pairs, "pair") +
         ", budget " + percent(worst->budget_ratio) + why;
}

std::string early_end_text(gate::End end, GateVerdict verdict, const std::string& end_reason) {
  return end != gate::End::judged && gate::is_of_rows(end, verdict)
             ? "; the gate ended early: " + end_reason
             : "";
}

namespace {

// "PASS: throughput -0.1 % [-0.4 %, +0.2 %] in 11 pairs, budget 3 %".
std::string verdict_sentence(const GateResult& result) {
  const std::string word = gate::verdict_word(result.verdict);
  if (result.anchor && result.anchor->decides) {
    const gate::Anchor& anchor = *result.anchor;
    const std::string row = deciding_row_text(anchor.rows, anchor.end, anchor.verdict);
    return (row.empty() ? word + ": " + result.why
                        : word + " against the anchor, " + anchor.words + ": " + row) +
           early_end_text(anchor.end, anchor.verdict, anchor.end_reason);
  }
  const std::string row = deciding_row_text(result.rows, result.end, result.verdict);
  return word + ": " + (row.empty() ? result.why : row) +
         early_end_text(result.end, result.verdict, result.end_reason);
}

}  // namespace

std::string gate_headline(const GateResult& result) {
  const std::string place = on_cpu_text(result.run.machine);
  return verdict_sentence(result) + (place.empty() ? "" : ". " + place);
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
  std::vector<std::string> warnings;
  if (result.after_the_fact) {
    warnings = after_the_fact_text(*result.after_the_fact);
  }
  const auto& accepted = result.policy.accepted;
  warnings.insert(warnings.end(), accepted.begin(), accepted.end());
  warnings.insert(warnings.end(), result.run.warnings.begin(), result.run.warnings.end());
  if (std::string text = campaign::unread_images_text(result.run.trials); !text.empty()) {
    warnings.push_back(std::move(text));
  }
  if (std::string lost = lost_gpu_warning(result.run.machine); !lost.empty()) {
    warnings.push_back(std::move(lost));
  }
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
  std::vector<RankedRow> rows = ranked_rows(result.rows);
  for (const CountedRow& row : result.counted) {
    rows.push_back(ranked_row(row));
  }
  return table_of(std::move(rows));
}

GateTable gate_table(const std::vector<Row>& rows) {
  return table_of(ranked_rows(rows));
}

std::vector<std::string> gate_offers(const GateResult& result) {
  std::vector<std::string> offers;
  const bool is_stored = !result.baseline_name.empty() && !result.baseline_is_file;
  for (const Row& row : result.rows) {
    if (row.verdict != GateVerdict::improved) {
      continue;
    }
    const double budget = kBudgetStep * std::ceil(row.mde.value_or(1) / kBudgetStep);
    if (budget < row.budget_ratio && budget >= result.policy.min_effect_ratio) {
      offers.push_back(row.metric + " improved, and " + percent(*row.mde) +
                       " can be detected: a smaller budget would keep it so, gate: {budget: {" +
                       row.metric + ": " + scenario::share_text(budget) + "}}");
    }
  }
  if (is_stored && result.verdict == GateVerdict::improved) {
    const auto& judged = result.after_the_fact;
    offers.push_back("the baseline can be begun anew from what improved: tune baseline set " +
                     command_line({judged ? judged->directory : result.run.directory.string()}) +
                     " --cell " + (judged && judged->is_run ? "baseline" : "candidate") +
                     " --name " + result.baseline_name + " --force");
  }
  return offers;
}

}  // namespace tune::report
