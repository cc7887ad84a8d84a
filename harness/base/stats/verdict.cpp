#include "base/stats/verdict.h"

#include "base/assert.h"
#include "base/stats/looks.h"
#include "base/stats/signed_rank.h"

#include <algorithm>
#include <cmath>

namespace tune::stats {

namespace {

constexpr const char* kTailSentence =
    "the candidate's slices scatter more than twice as widely as the baseline's";

std::vector<double> negated(std::vector<double> values) {
  for (double& value : values) {
    value = -value;
  }
  return values;
}

Evidence weigh(const Row& row, const Look& look) {
  const double level = look.schedule.alpha_per_look();
  const LocationBounds bounds = location_bounds(row.differences, level);
  return {.lower = bounds.lower,
          .estimate = bounds.estimate,
          .upper = bounds.upper,
          .confidence = bounds.k ? 1 - 2 * look.schedule.alpha : 0,
          .doubt = bounds.k ? Doubt::undecided : Doubt::too_few_pairs,
          .warning = bounds.warning};
}

// Which rows Holm's method calls, as one flag per row.
std::vector<bool> call(const std::vector<double>& p_values, const Look& look) {
  TUNE_ASSERT(look.index < look.schedule.pairs.size());
  const HolmFamily family{.level = look.schedule.alpha_per_look(),
                          .rows = look.schedule.rows,
                          .called = look.rows_called};
  std::vector<bool> called(p_values.size(), false);
  for (const std::size_t row : holm_called(p_values, family)) {
    called[row] = true;
  }
  return called;
}

GateVerdict judge_gate(const Evidence& evidence, const EffectLimits& limits, bool called) {
  const double small = std::log1p(limits.min_effect_ratio);
  const double budget = std::log1p(limits.budget_ratio);
  if (called && evidence.estimate >= budget) {
    return GateVerdict::regressed;
  }
  if (evidence.upper < -small && evidence.estimate <= -budget) {
    return GateVerdict::improved;
  }
  return evidence.upper < budget ? GateVerdict::pass : GateVerdict::inconclusive;
}

AdviceVerdict judge_advice(const Evidence& evidence, const EffectLimits& limits, bool called) {
  if (called) {
    return AdviceVerdict::confirmed;
  }
  return -evidence.lower < std::log1p(limits.min_effect_ratio) ? AdviceVerdict::refuted
                                                               : AdviceVerdict::ambiguous;
}

// A verdict "faster than" depends on the upper bound, which a heavier tail makes too low.
template <class Verdict>
void settle(
    Verdict& verdict, Verdict open, bool rests_on_upper, SliceShape shape, Evidence& evidence) {
  if (verdict == open) {
    return;
  }
  if (rests_on_upper && shape == SliceShape::heavier_tail) {
    verdict = open;
    evidence.doubt = Doubt::tail;
    evidence.warning = kTailSentence;
    return;
  }
  evidence.doubt = Doubt::none;
}

}  // namespace

const char* to_string(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::pass:
      return "pass";
    case GateVerdict::regressed:
      return "regressed";
    case GateVerdict::improved:
      return "improved";
    case GateVerdict::inconclusive:
      return "inconclusive";
  }
  return "";
}

const char* to_string(AdviceVerdict verdict) {
  switch (verdict) {
    case AdviceVerdict::confirmed:
      return "confirmed";
    case AdviceVerdict::refuted:
      return "refuted";
    case AdviceVerdict::ambiguous:
      return "ambiguous";
  }
  return "";
}

const char* to_string(Doubt doubt) {
  switch (doubt) {
    case Doubt::none:
      return "none";
    case Doubt::undecided:
      return "undecided";
    case Doubt::too_few_pairs:
      return "too-few-pairs";
    case Doubt::tail:
      return "tail";
  }
  return "";
}

std::vector<GateRow> gate_verdicts(const std::vector<Row>& open_rows, const Look& look) {
  std::vector<double> p_values;
  p_values.reserve(open_rows.size());
  for (const Row& row : open_rows) {
    p_values.push_back(p_not_above(row.differences, std::log1p(row.limits.min_effect_ratio)));
  }
  const std::vector<bool> called = call(p_values, look);
  std::vector<GateRow> answers;
  for (std::size_t i = 0; i < open_rows.size(); ++i) {
    GateRow answer{.evidence = weigh(open_rows[i], look)};
    answer.evidence.p = p_values[i];
    answer.verdict = judge_gate(answer.evidence, open_rows[i].limits, called[i]);
    settle(answer.verdict,
           GateVerdict::inconclusive,
           answer.verdict != GateVerdict::regressed,
           open_rows[i].shape,
           answer.evidence);
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::vector<AdviceRow> advice_verdicts(const std::vector<Row>& open_rows, const Look& look) {
  std::vector<double> p_values;
  p_values.reserve(open_rows.size());
  for (const Row& row : open_rows) {
    p_values.push_back(
        p_not_above(negated(row.differences), std::log1p(row.limits.min_effect_ratio)));
  }
  const std::vector<bool> called = call(p_values, look);
  std::vector<AdviceRow> answers;
  for (std::size_t i = 0; i < open_rows.size(); ++i) {
    AdviceRow answer{.evidence = weigh(open_rows[i], look)};
    answer.evidence.p = p_values[i];
    answer.verdict = judge_advice(answer.evidence, open_rows[i].limits, called[i]);
    settle(answer.verdict,
           AdviceVerdict::ambiguous,
           answer.verdict == AdviceVerdict::confirmed,
           open_rows[i].shape,
           answer.evidence);
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace tune::stats
