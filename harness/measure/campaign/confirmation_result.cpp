#include "measure/campaign/confirmation_result.h"

#include "advice/attribution.h"
#include "base/stats/log_ratio.h"
#include "base/stats/pair_bias.h"
#include "base/stats/quantile.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/loss_parity.h"
#include "measure/campaign/objective.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/taint.h"
#include "trial/knob_catalog.h"
#include "trial/trial_reply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace tune::campaign {

namespace {

// The pairs of one cell with the baseline.
struct PairsOf {
  std::string stage;  // "confirm" or "ladder"
  std::string cell;
};

// By round the trial that counts: of a slot that ran again the last one.
using Rounds = std::map<std::int64_t, const TrialRecord*>;

Rounds rounds_of(const RecordedRun& run, const PairsOf& pairs) {
  Rounds rounds;
  for (const TrialRecord& record : run.trials) {
    if (record.stage == pairs.stage && record.spec.cell == pairs.cell && has_completed(record) &&
        record.outcome.reply) {
      rounds[record.round] = &record;
    }
  }
  return rounds;
}

void add_clean_slices(const TrialRecord& record, advice::PhaseTotals& totals) {
  const trial::TrialReply& reply = *record.outcome.reply;
  const CleanRate clean = clean_rate(reply);
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    if (i < clean.is_clean.size() && clean.is_clean[i]) {
      totals += reply.slices[i];
    }
  }
}

// Where the gain of a cell over the baseline comes from: of the slices that count in the rounds of
// the stage in which both sides completed. Nothing without such a round.
std::optional<advice::Attribution> attribution_of(const RecordedRun& run,
                                                  const PairsOf& pairs,
                                                  double gain) {
  const Rounds changed = rounds_of(run, pairs);
  const Rounds baseline = rounds_of(run, {.stage = pairs.stage, .cell = run.plan.cells[0].id});
  advice::PhaseTotals before;
  advice::PhaseTotals after;
  for (const auto& [round, record] : changed) {
    const auto partner = baseline.find(round);
    if (partner != baseline.end()) {
      add_clean_slices(*partner->second, before);
      add_clean_slices(*record, after);
    }
  }
  return advice::attribute(before, after, gain);
}

// Differences are of times: a gain is the other way round.
double gain_of_difference(double difference) {
  return std::exp(-difference) - 1;
}

LookRecord look_record(const RowLook& look) {
  const stats::Evidence& evidence = look.row.evidence;
  LookRecord record;
  record.pairs = look.pairs;
  record.alpha = look.alpha;
  record.alpha_total = look.alpha_total;
  record.lower = gain_of_difference(evidence.upper);
  record.value = gain_of_difference(evidence.estimate);
  record.upper = gain_of_difference(evidence.lower);
  record.p = evidence.p;
  record.verdict = stats::to_string(look.row.verdict);
  return record;
}

// The numbers of the last look; before the first one, the usual interval of what there is.
stats::Number gain_of(const ConfirmRow& row) {
  const bool judged = !row.looks.empty() && std::isfinite(row.looks.back().row.evidence.lower) &&
                      std::isfinite(row.looks.back().row.evidence.upper);
  if (!judged) {
    std::vector<double> gains;
    for (const double difference : row.differences) {
      gains.push_back(-difference);
    }
    return stats::gain_of_samples(gains);
  }
  const LookRecord look = look_record(row.looks.back());
  const stats::Evidence& evidence = row.looks.back().row.evidence;
  return {.value = look.value,
          .lower = look.lower,
          .upper = look.upper,
          .confidence = evidence.confidence,
          .n = look.pairs,
          .reason = evidence.warning};
}

void add_rates(Confirmation& result, const StageHistory& cell, const StageHistory& baseline) {
  std::vector<double> of_cell;
  std::vector<double> of_baseline;
  for (const auto& [round, rate] : cell.rates) {
    const auto partner = baseline.rates.find(round);
    if (partner != baseline.rates.end()) {
      of_cell.push_back(rate);
      of_baseline.push_back(partner->second);
    }
  }
  if (!of_cell.empty()) {
    result.best = stats::number_of_samples(of_cell);
    result.baseline = stats::number_of_samples(of_baseline);
  }
}

std::string why_no_verdict(const ConfirmRow& row, std::int64_t wanted) {
  return std::to_string(row.differences.size()) + " of " + std::to_string(wanted) +
         " pairs that the first look needs";
}

// What both sides may be wrong by, in opposite directions, still leaves the same answer.
bool outweighs_unsteadiness(const Confirmation& result) {
  const auto one = result.steadiness.typical_bias_ratio();
  const auto other = result.baseline_steadiness.typical_bias_ratio();
  if (!one || !other) {
    return false;
  }
  const double factor = (1 + *one) * (1 + *other);
  return result.gain.lower.value_or(0) > factor - 1 ||
         result.gain.upper.value_or(0) < 1 / factor - 1;
}

// What disturbed a slice that counts as clean has slowed it by less than core probes let pass. A
// gain beyond that is there even where all of one side's slices were slowed so, and none of the
// other's.
bool outweighs_disturbance(const Confirmation& result) {
  return result.slices.has_core_probes && result.baseline_slices.has_core_probes &&
         (result.gain.lower.value_or(0) > trial::kMostCoreRatio - 1 ||
          result.gain.upper.value_or(0) < 1 / trial::kMostCoreRatio - 1);
}

// A claim does not stand where the machine disturbed one side more than the other, where it may
// come from trials that were not steady, as most of a side's, or where the losses say that it is
// not the same training.
void doubt(Confirmation& result) {
  const bool unsteadiness_counts = !outweighs_unsteadiness(result);
  if (taint_imbalance(result.slices, result.baseline_slices) < kTaintLevel &&
      !outweighs_disturbance(result)) {
    result.why =
        "others disturbed one side more than the other: " + std::to_string(result.slices.tainted) +
        " slices of the setting, " + std::to_string(result.baseline_slices.tainted) +
        " of the baseline";
  } else if (unsteadiness_counts && result.steadiness.is_mostly_not_steady()) {
    result.why = result.steadiness.text("trials of the setting");
  } else if (unsteadiness_counts && result.baseline_steadiness.is_mostly_not_steady()) {
    result.why = result.baseline_steadiness.text("trials of the baseline");
  } else if (result.loss_differs) {
    result.why = "the losses differ, which none of its knobs may do: " + result.loss_parity;
  } else {
    return;
  }
  if (!result.verdict.empty()) {
    result.verdict = stats::to_string(stats::AdviceVerdict::ambiguous);
  }
}

Confirmation make_result(const RecordedRun& run,
                         const ConfirmRow& row,
                         const ConfirmStanding& standing,
                         const std::vector<CellHistory>& histories,
                         const std::string& stage) {
  const StageHistory& cell = histories[row.cell].stage(stage);
  const StageHistory& baseline = histories[0].stage(stage);
  Confirmation result;
  result.cell = run.plan.cells[row.cell].id;
  result.pairs = static_cast<std::int64_t>(row.differences.size());
  result.wanted = row.is_open || row.looks.empty() ? standing.next_pairs : row.looks.back().pairs;
  add_rates(result, cell, baseline);
  if (!row.differences.empty()) {
    result.gain = gain_of(row);
    if (run.scenario.objective.metric == "throughput") {  // a gain of time per sample
      result.attribution =
          attribution_of(run, {.stage = stage, .cell = result.cell}, *result.gain.value);
    }
  }
  for (const RowLook& look : row.looks) {
    result.looks.push_back(look_record(look));
  }
  const auto searched = log_gains(histories[row.cell].search, histories[0].search);
  if (!searched.empty()) {
    result.search_gain = stats::gain_of(stats::median(searched));
  }
  result.steadiness = cell.steadiness;
  result.baseline_steadiness = baseline.steadiness;
  result.slices = cell.slices;
  result.baseline_slices = baseline.slices;
  const stats::PositionEffect position = stats::position_effect(row.differences, row.orders);
  if (position.blocks > 0) {
    result.position_effect = std::exp(position.log_ratio) - 1;
  }
  if (const PairForm* const form = run.ledger.form_of(result.cell)) {
    result.form = *form;
  }
  const LossParity parity = loss_parity(run, row.cell, stage);
  result.loss_parity = parity.text;
  result.loss_differs = parity.differs;
  if (row.looks.empty()) {
    result.why = why_no_verdict(row, standing.next_pairs);
  } else {
    const stats::AdviceRow& last = row.looks.back().row;
    result.verdict = stats::to_string(last.verdict);
    result.why = last.verdict == stats::AdviceVerdict::ambiguous && position.is_large
                     ? position.warning
                     : last.evidence.warning;
  }
  doubt(result);
  result.broken_constraints = histories[row.cell].broken();
  if (!result.broken_constraints.empty()) {
    result.why =
        constraint_text(result.broken_constraints) + (result.why.empty() ? "" : "; " + result.why);
  }
  return result;
}

// Whether the cell is behind the best one by at most 1 %, or by one standard error of the median
// difference in the rounds of both.
bool does_as_well(const StageHistory& cell, const StageHistory& best) {
  constexpr double kTie = 0.01;
  const std::vector<double> behind = log_gains(best, cell);
  if (behind.empty()) {
    return &cell == &best;
  }
  return stats::median(behind) <=
         std::max(std::log1p(kTie), stats::standard_error_of_median(behind));
}

}  // namespace

std::vector<Confirmation> confirmation_results(const RecordedRun& run,
                                               const ConfirmStanding& standing,
                                               const std::vector<CellHistory>& histories,
                                               const std::string& stage) {
  struct Entry {
    Confirmation result;
    std::size_t cell, changed;
  };
  std::vector<Entry> entries;
  for (const ConfirmRow& row : standing.rows) {
    if (!histories[row.cell].stage(stage).attempts.empty()) {
      entries.push_back({make_result(run, row, standing, histories, stage),
                         row.cell,
                         run.plan.cells[row.cell].changed.size()});
    }
  }
  const std::string confirmed = stats::to_string(stats::AdviceVerdict::confirmed);
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    const auto rank = [&](const Entry& entry) {
      return std::tuple(!entry.result.broken_constraints.empty(),
                        entry.result.verdict != confirmed,
                        -entry.result.gain.value.value_or(0));
    };
    return rank(a) < rank(b);
  });
  if (!entries.empty()) {
    const Entry& first = entries.front();
    auto plainest = entries.begin();
    for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
      const bool is_tied =
          entry->result.verdict == first.result.verdict &&
          entry->result.broken_constraints.empty() == first.result.broken_constraints.empty() &&
          does_as_well(histories[entry->cell].stage(stage), histories[first.cell].stage(stage));
      if (is_tied && entry->changed < plainest->changed) {
        plainest = entry;
      }
    }
    std::rotate(entries.begin(), plainest, plainest + 1);
  }
  std::vector<Confirmation> results;
  results.reserve(entries.size());
  for (Entry& entry : entries) {
    results.push_back(std::move(entry.result));
  }
  return results;
}

}  // namespace tune::campaign
