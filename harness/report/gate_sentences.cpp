#include "report/gate_sentences.h"

#include "measure/campaign/run_warnings.h"
#include "measure/gate/anchor.h"
#include "report/gate_row_words.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace tune::report {

namespace {

using gate::CountedRow;
using gate::GateResult;
using gate::Row;
using stats::GateVerdict;

// As its report will read it.
result::GateRow stored(const Row& row) {
  return {.metric = row.metric,
          .unit = row.unit,
          .delta = row.delta,
          .budget = row.budget_ratio,
          .pairs = row.pairs,
          .verdict = gate::verdict_word(row.verdict),
          .why = row.why};
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

// "" where the verdict does not come from a measured row.
std::string deciding_row_text(const std::vector<Row>& rows, gate::End end, GateVerdict verdict) {
  if (!gate::is_of_rows(end, verdict)) {
    return "";
  }
  std::vector<result::GateRow> measured;
  std::transform(rows.begin(), rows.end(), std::back_inserter(measured), stored);
  const result::GateRow* const row = deciding_row(measured, gate::verdict_word(verdict));
  return row == nullptr ? "" : deciding_words(*row);
}

// Behind what decided nevertheless, or "".
std::string early_end_text(gate::End end, GateVerdict verdict, const std::string& end_reason) {
  return end != gate::End::judged && gate::is_of_rows(end, verdict)
             ? "; the gate ended early: " + end_reason
             : "";
}

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

// Names of counts that changed, or "".
std::string changed_counts(const GateResult& result) {
  std::string names;
  for (const CountedRow& row : result.counted) {
    if (row.verdict == GateVerdict::regressed || row.verdict == GateVerdict::improved) {
      names += (names.empty() ? "" : ", ") + row.metric + " " +
               counted_change({row.baseline_low, row.baseline_high},
                              {row.candidate_low, row.candidate_high});
    }
  }
  return names;
}

}  // namespace

std::string gate_headline(const GateResult& result) {
  const std::string place = on_cpu_text(result.run.machine);
  return verdict_sentence(result) + (place.empty() ? "" : ". " + place);
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

std::string anchor_move_text(const gate::Anchor& anchor) {
  if (!anchor.skipped.empty() || anchor.end != gate::End::judged || anchor.rows.empty()) {
    return "the anchor stays: nothing was judged against it";
  }
  const gate::Row* const holds = gate::holding_row(anchor);
  if (holds == nullptr) {
    return "the anchor may move to the candidate: nothing is worse by more than half of its budget";
  }
  if (holds->verdict == stats::GateVerdict::inconclusive &&
      holds->evidence.upper <= std::log1p(holds->budget_ratio / 2)) {
    return "the anchor stays: " + holds->metric + " is undecided, " + holds->why;
  }
  const double worst = std::expm1(holds->evidence.upper);
  return "the anchor stays: " + holds->metric +
         (std::isfinite(worst) ? " may be worse by " + share_text(worst)
                               : std::string(" may be worse by any amount")) +
         ", half of its budget is " + share_text(holds->budget_ratio / 2);
}

}  // namespace tune::report
