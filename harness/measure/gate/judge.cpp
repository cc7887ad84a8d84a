#include "measure/gate/judge.h"

#include "base/assert.h"
#include "base/stats/detectable_effect.h"
#include "base/stats/quantile.h"
#include "base/stats/sign_interval.h"
#include "measure/gate/policy.h"
#include "measure/gate/work.h"

#include <algorithm>
#include <cmath>

namespace tune::gate {

namespace {

using stats::GateVerdict;

constexpr double kTailGrowth = 2;
constexpr double kTailFloor = 0.01;  // on a narrower tail nothing can hide
constexpr const char* kMemoryGrowth = "memory-growth";

struct Values {
  std::vector<double> baseline, candidate, worsenings;  ///< one a pair
};

void add_values(const Metric& metric, const std::vector<Pair>& pairs, Values& values) {
  for (const Pair& pair : pairs) {
    const auto baseline = pair.baseline.values.find(metric.name);
    const auto candidate = pair.candidate.values.find(metric.name);
    if (baseline == pair.baseline.values.end() || candidate == pair.candidate.values.end()) {
      continue;
    }
    values.baseline.push_back(baseline->second);
    values.candidate.push_back(candidate->second);
    values.worsenings.push_back(log_worsening(metric, baseline->second, candidate->second));
  }
}

Values values_of(const Metric& metric,
                 const std::vector<Pair>& pairs,
                 const std::vector<Pair>* lost = nullptr) {
  Values values;
  add_values(metric, pairs, values);
  if (lost != nullptr && resists_other_work(metric.name)) {
    add_values(metric, *lost, values);
  }
  return values;
}

struct Spread {
  double quartiles = 0, p90 = 0;  ///< of ln(time): between the quartiles; above the median
};

Spread spread_of(const std::vector<double>& times) {
  return {.quartiles = stats::quantile(times, 0.75) - stats::quantile(times, 0.25),
          .p90 = stats::quantile(times, 0.9) - stats::quantile(times, 0.5)};
}

stats::SliceShape shape_of(const std::vector<Pair>& pairs) {
  std::vector<double> baseline, candidate;
  for (const Pair& pair : pairs) {
    const auto& before = pair.baseline.slice_log_times;
    const auto& after = pair.candidate.slice_log_times;
    baseline.insert(baseline.end(), before.begin(), before.end());
    candidate.insert(candidate.end(), after.begin(), after.end());
  }
  if (baseline.empty() || candidate.empty()) {
    return stats::SliceShape::alike;
  }
  const Spread before = spread_of(baseline);
  const Spread after = spread_of(candidate);
  const auto grew = [](double narrow, double wide) {
    return wide > kTailFloor && wide > kTailGrowth * narrow;
  };
  return grew(before.quartiles, after.quartiles) || grew(before.p90, after.p90)
             ? stats::SliceShape::heavier_tail
             : stats::SliceShape::alike;
}

// On the scale of the metric: a worsening of throughput is a fall.
double to_delta(const Metric& metric, double log_worse) {
  return std::expm1(metric.higher_is_better ? -log_worse : log_worse);
}

std::string sentence_of(const stats::Evidence& evidence, GateVerdict verdict, bool last) {
  switch (verdict) {
    case GateVerdict::pass:
      return "the interval excludes a worsening beyond the budget";
    case GateVerdict::regressed:
      return "worse by more than the budget, and surely by more than the smallest effect of "
             "interest";
    case GateVerdict::improved:
      return "better by more than the budget";
    case GateVerdict::inconclusive:
      break;
  }
  if (evidence.doubt == stats::Doubt::tail) {
    return "tail: " + evidence.warning;
  }
  if (evidence.doubt == stats::Doubt::too_few_pairs) {
    return "too few pairs: " + evidence.warning;
  }
  return last ? "the interval allows a worsening beyond the budget as well as none"
              : "not decided yet";
}

void describe(Row& row, const Metric& metric, const Values& values, const LookInput& input) {
  row.pairs = static_cast<std::int64_t>(values.worsenings.size());
  row.baseline = stats::number_of_samples(values.baseline);
  row.candidate = stats::number_of_samples(values.candidate);
  const stats::Evidence& evidence = row.evidence;
  row.delta = {.value = to_delta(metric, evidence.estimate), .n = row.pairs, .unit = "ratio"};
  if (std::isfinite(evidence.lower) && std::isfinite(evidence.upper)) {
    const auto [low, high] =
        std::minmax(to_delta(metric, evidence.lower), to_delta(metric, evidence.upper));
    row.delta.lower = low;
    row.delta.upper = high;
    row.delta.confidence = evidence.confidence;
  }
  row.is_worse = evidence.estimate > 0;
  if (values.worsenings.size() >= 2) {
    const auto sign = stats::sign_interval(values.worsenings);
    const double a = to_delta(metric, sign.lower);
    const double b = to_delta(metric, sign.upper);
    row.sign_lower = std::min(a, b);
    row.sign_upper = std::max(a, b);
    row.sign_confidence = sign.confidence;
    row.mde = stats::minimum_detectable_effect(
                  values.worsenings, input.looks, input.policy.min_effect_ratio)
                  .effect_ratio;
  }
}

// What a stored baseline may be off by widens the interval, either way.
void widen(stats::GateRow& answer, const stats::EffectLimits& limits, double by_log) {
  if (by_log <= 0) {
    return;
  }
  stats::Evidence& evidence = answer.evidence;
  evidence.lower -= by_log;
  evidence.upper += by_log;
  const double small = std::log1p(limits.min_effect_ratio);
  const double budget = std::log1p(limits.budget_ratio);
  const bool holds = (answer.verdict == GateVerdict::regressed && evidence.lower > small) ||
                     (answer.verdict == GateVerdict::pass && evidence.upper < budget) ||
                     (answer.verdict == GateVerdict::improved && evidence.upper < -small);
  if (!holds && answer.verdict != GateVerdict::inconclusive) {
    answer.verdict = GateVerdict::inconclusive;
    evidence.doubt = stats::Doubt::undecided;
  }
}

bool is_decided(const Row& row) {
  return row.verdict != GateVerdict::inconclusive;
}

bool has_lost_pairs(const LookInput& input) {
  return input.lost != nullptr && !input.lost->empty();
}

// Why a row of time stays open where most pairs were disturbed.
std::string too_busy(const LookInput& input) {
  const std::size_t lost = input.lost == nullptr ? 0 : input.lost->size();
  return "the machine is too busy: other work left " + std::to_string(input.pairs.size()) + " of " +
         std::to_string(input.pairs.size() + lost) + " pairs alone";
}

campaign::SteadyTally tally(const std::vector<Pair>& pairs, ProcessSummary Pair::*side) {
  campaign::SteadyTally found;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    found.add("pair " + std::to_string(i + 1), (pairs[i].*side).steadiness);
  }
  return found;
}

// "clock: 7 of 10 processes of the candidate were not steady ...", or "". One or two of many are
// chance.
std::string unsteady_side(const GateResult& result) {
  if (result.candidate_steadiness.is_mostly_not_steady()) {
    return result.candidate_steadiness.label() + ": " +
           result.candidate_steadiness.text("processes of the candidate");
  }
  return result.baseline_steadiness.is_mostly_not_steady()
             ? result.baseline_steadiness.label() + ": " +
                   result.baseline_steadiness.text("processes of the baseline")
             : "";
}

struct Said {
  GateVerdict verdict = GateVerdict::pass;
  std::string why;
};

// The first of the worst among those that are gated.
Said worst_of_rows(const GateResult& result) {
  std::vector<Said> all;
  for (const Row& row : result.rows) {
    all.push_back({row.verdict, row.metric + ": " + row.why});
  }
  for (const CountedRow& row : result.counted) {
    if (row.is_gated) {
      all.push_back({row.verdict, row.metric + ": " + row.why});
    }
  }
  for (const GateVerdict verdict :
       {GateVerdict::regressed, GateVerdict::inconclusive, GateVerdict::improved}) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Said& said) { return said.verdict == verdict; });
    if (found != all.end()) {
      return *found;
    }
  }
  return {GateVerdict::pass, result.rows.empty() ? "what was counted is equal" : all.front().why};
}

}  // namespace

std::vector<Row> judge_look(const LookInput& input) {
  const auto& budgets = input.policy.budgets;
  TUNE_ASSERT(input.earlier.empty() || input.earlier.size() == budgets.size());
  std::vector<Row> rows = input.earlier;
  if (rows.empty()) {
    for (const Budget& budget : budgets) {
      Row row;
      row.metric = budget.metric;
      row.unit = find_metric(budget.metric)->unit;
      row.budget_ratio = budget.ratio;
      rows.push_back(std::move(row));
    }
  }
  const stats::SliceShape shape = shape_of(input.pairs);
  std::vector<std::size_t> open;
  std::vector<Values> values;
  std::vector<stats::Row> open_rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_decided(rows[i])) {
      continue;
    }
    open.push_back(i);
    values.push_back(values_of(*find_metric(rows[i].metric), input.pairs, input.lost));
    const bool is_known = !values.back().worsenings.empty();
    TUNE_ASSERT(is_known || input.lost != nullptr);
    open_rows.push_back(
        // A row without a pair still counts as one of the family.
        {.differences = is_known ? values.back().worsenings : std::vector<double>{0},
         .limits = {.min_effect_ratio = input.policy.min_effect_ratio,
                    .budget_ratio = rows[i].budget_ratio},
         .shape = resists_other_work(rows[i].metric) ? stats::SliceShape::alike : shape});
  }
  if (open.empty()) {
    return rows;
  }
  const auto called =
      static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const Row& row) {
        return row.verdict == GateVerdict::regressed;
      }));
  auto answers = stats::gate_verdicts(
      open_rows, {.schedule = input.looks, .index = input.index, .rows_called = called});
  for (std::size_t i = 0; i < open.size(); ++i) {
    Row& row = rows[open[i]];
    if (values[i].worsenings.empty()) {
      row.why = too_busy(input);
      continue;
    }
    widen(answers[i], open_rows[i].limits, input.confounded_log);
    row.verdict = answers[i].verdict;
    row.evidence = answers[i].evidence;
    row.look = input.index;
    describe(row, *find_metric(row.metric), values[i], input);
    row.why = sentence_of(row.evidence, row.verdict, input.looks.is_last(input.index));
    if (!is_decided(row) && has_lost_pairs(input) && !resists_other_work(row.metric)) {
      row.why = too_busy(input);
    }
  }
  return rows;
}

std::optional<stats::EnvironmentShift> sentinel_shift(const std::vector<Pair>& pairs,
                                                      double level) {
  std::vector<double> differences;
  for (const Pair& pair : pairs) {
    if (pair.baseline.sentinel_ns && pair.candidate.sentinel_ns) {
      differences.push_back(std::log(*pair.candidate.sentinel_ns / *pair.baseline.sentinel_ns));
    }
  }
  if (differences.empty()) {
    return std::nullopt;
  }
  return stats::environment_shift(differences, level);
}

std::optional<stats::PositionEffect> running_second(const Policy& policy,
                                                    const std::vector<Pair>& pairs) {
  for (const Budget& budget : policy.budgets) {
    const Metric& metric = *find_metric(budget.metric);
    if (metric.name == "peak_memory_bytes") {
      continue;
    }
    const Values values = values_of(metric, pairs);
    if (values.worsenings.size() != pairs.size() || pairs.empty()) {
      continue;
    }
    std::vector<stats::PairOrder> orders;
    orders.reserve(pairs.size());
    for (const Pair& pair : pairs) {
      orders.push_back(pair.baseline_first ? stats::PairOrder::baseline_first
                                           : stats::PairOrder::candidate_first);
    }
    return stats::position_effect(values.worsenings, orders);
  }
  return std::nullopt;
}

double taint_imbalance(const std::vector<Pair>& pairs) {
  campaign::SliceCount baseline, candidate;
  for (const Pair& pair : pairs) {
    baseline += pair.baseline.slices;
    candidate += pair.candidate.slices;
  }
  return campaign::taint_imbalance(baseline, candidate);
}

void apply_controls(GateResult& result) {
  const auto& pairs = result.pairs;
  result.environment = sentinel_shift(pairs, result.looks.alpha_per_look());
  result.position = running_second(result.policy, pairs);
  result.taint_p = taint_imbalance(all_pairs(result));
  result.baseline_steadiness = tally(pairs, &Pair::baseline);
  result.candidate_steadiness = tally(pairs, &Pair::candidate);
  const std::string unsteady = unsteady_side(result);
  std::string veto;
  if (result.environment && result.environment->is_shifted) {
    veto = "ENV_SHIFT: " + result.environment->warning;
  } else if (result.taint_p < campaign::kTaintLevel) {
    veto = "taint-imbalance: other work disturbed one side more than the other";
  } else {
    veto = unsteady;
  }
  if (veto.empty() && result.warmup.search && !result.warmup.search->steady) {
    veto = "no-steady-state: the speed of the processes kept changing";
  }
  for (Row& row : result.rows) {
    if (is_work(row.metric)) {
      continue;
    }
    if (row.metric == "peak_memory_bytes") {  // a slow machine takes no other memory
      if (unsteady.starts_with(kMemoryGrowth)) {
        row.verdict = GateVerdict::inconclusive;
        row.why = unsteady;
      }
      continue;
    }
    if (!veto.empty()) {
      row.verdict = GateVerdict::inconclusive;
      row.why = veto;
    } else if (!is_decided(row) && result.position && result.position->is_large) {
      row.why = "position effect: " + result.position->warning;
    }
  }
}

GateVerdict verdict_of_rows(const GateResult& result) {
  return worst_of_rows(result).verdict;
}

void conclude(GateResult& result) {
  const Said rows = worst_of_rows(result);
  if (result.end == End::candidate_failed) {
    result.verdict = GateVerdict::regressed;
    result.why = result.end_reason;
  } else if (result.end == End::nothing_changed) {
    result.verdict = GateVerdict::pass;
    result.why = result.end_reason;
  } else if (is_of_rows(result.end, rows.verdict)) {
    result.verdict = rows.verdict;
    result.why = rows.why;
  } else {
    result.verdict = GateVerdict::inconclusive;
    result.why = result.end_reason;
  }
}

}  // namespace tune::gate
