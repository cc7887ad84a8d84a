#include "report/gate_json.h"

#include "base/fields.h"
#include "base/text.h"
#include "measure/gate/anchor.h"
#include "report/gate_sentences.h"
#include "report/number_text.h"
#include "report/result_of.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tune::report {

namespace {

using gate::CountedRow;
using gate::GateResult;

result::Range range_of(double low, double high) {
  const auto first = finite(low), last = finite(high);
  return first && last ? result::Range{first, last} : result::Range{};
}

// A side has no value where other work left no pair alone.
result::Range value_of(const gate::Row& row, const stats::Number& side) {
  const double value = side.value.value_or(0);
  return row.pairs > 0 ? range_of(value, value) : result::Range{};
}

result::Number delta_of(const gate::Row& row) {
  result::Number delta{.n = row.pairs, .unit = "ratio"};
  if (row.pairs == 0) {
    delta.reason = "no pair was left alone by other work";
    return delta;
  }
  delta.value = finite(row.delta.value);
  if (row.delta.lower) {
    delta.lower = finite(row.delta.lower);
    delta.upper = finite(row.delta.upper);
    delta.confidence = finite(row.delta.confidence);
  } else {
    delta.reason = "too few pairs for an interval";
  }
  return delta;
}

result::GateRow row_of(const gate::Row& row) {
  return {.metric = row.metric,
          .unit = row.unit,
          .baseline = value_of(row, row.baseline),
          .candidate = value_of(row, row.candidate),
          .delta = delta_of(row),
          .is_worse = row.is_worse,
          .p = finite(row.evidence.p),
          .sign_lower = finite(row.sign_lower),
          .sign_upper = finite(row.sign_upper),
          .sign_confidence = finite(row.sign_confidence),
          .budget = row.budget_ratio,
          .mde = finite(row.mde),
          .pairs = row.pairs,
          .verdict = gate::verdict_word(row.verdict),
          .why = row.why};
}

result::GateRow row_of(const CountedRow& row) {
  result::GateRow counted{.metric = row.metric,
                          .unit = row.unit,
                          .is_measured = false,
                          .is_gated = row.is_gated,
                          .baseline = range_of(row.baseline_low, row.baseline_high),
                          .candidate = range_of(row.candidate_low, row.candidate_high),
                          .budget = row.budget_ratio,
                          .verdict = gate::verdict_word(row.verdict),
                          .why = row.why};
  counted.delta.reason = "counted, not measured: it has no interval";
  if (row.baseline_high > 0) {
    counted.delta.value = finite(row.candidate_low / row.baseline_high - 1);
  }
  return counted;
}

std::vector<result::GateRow> rows_of(const std::vector<gate::Row>& rows) {
  std::vector<result::GateRow> all;
  all.reserve(rows.size());
  for (const gate::Row& row : rows) {
    all.push_back(row_of(row));
  }
  return all;
}

result::GateSide side_of(const gate::Side& side) {
  return {.words = side.words,
          .model = side.spec.workload.model,
          .knobs = setting_of(side.spec.knobs),
          .own_setting = side.is_own_setting,
          .worker_sha256 = side.worker_sha256,
          .data_sha256 = side.spec.data.manifest_sha256,
          .commit = side.commit,
          .files = side.files};
}

result::GateLook look_of(const gate::LookRecord& look) {
  result::GateLook all{.utc = look.utc,
                       .look = static_cast<std::int64_t>(look.index) + 1,
                       .pairs = look.pairs,
                       .alpha_spent = look.alpha_spent,
                       .alpha_total = look.alpha_total,
                       .baseline_tainted = look.baseline_tainted,
                       .candidate_tainted = look.candidate_tainted};
  for (const gate::Row& row : look.rows) {
    all.rows.push_back({.metric = row.metric,
                        .verdict = gate::verdict_word(row.verdict),
                        .lower = finite(row.evidence.lower),
                        .estimate = finite(row.evidence.estimate),
                        .upper = finite(row.evidence.upper),
                        .p = finite(row.evidence.p),
                        .mde = finite(row.mde)});
  }
  return all;
}

result::GateProcess process_of(const gate::ProcessSummary& process) {
  return {.values = process.values,
          .clean_slices = process.slices.clean,
          .tainted_slices = process.slices.tainted,
          .taint = process.taints.empty() ? "" : process.taints.front(),
          .steadiness = process.steadiness.label(),
          .steadiness_why = process.steadiness.why()};
}

std::vector<result::GatePair> pairs_of(const std::vector<gate::Pair>& pairs) {
  std::vector<result::GatePair> all;
  all.reserve(pairs.size());
  for (const gate::Pair& pair : pairs) {
    all.push_back({.baseline_first = pair.baseline_first,
                   .baseline = process_of(pair.baseline),
                   .candidate = process_of(pair.candidate)});
  }
  return all;
}

std::string order_of(const GateResult& result) {
  std::string order;
  for (const gate::Pair& pair : result.pairs) {
    order += (order.empty() ? "" : " ") + std::string(pair.baseline_first ? "AB" : "BA");
  }
  return order;
}

// From ln(ratio).
result::Number ratio_of(double estimate, double lower, double upper) {
  return {.value = finite(std::expm1(estimate)),
          .lower = finite(std::expm1(lower)),
          .upper = finite(std::expm1(upper)),
          .is_there = true};
}

result::GateControls controls_of(const GateResult& result) {
  result::GateControls controls{.taint_p = finite(result.taint_p),
                                .baseline_steadiness = steadiness_of(result.baseline_steadiness),
                                .candidate_steadiness = steadiness_of(result.candidate_steadiness)};
  controls.sentinel.reason = "the worker timed no sentinel";
  if (const auto& shift = result.environment) {
    controls.sentinel = ratio_of(shift->estimate, shift->lower, shift->upper);
    controls.machine_changed = shift->is_shifted;
  }
  controls.position.reason = "no pair of pairs was measured";
  if (const auto& position = result.position; position && position->blocks > 0) {
    controls.position = ratio_of(position->log_ratio, position->lower, position->upper);
    controls.blocks = static_cast<std::int64_t>(position->blocks);
    controls.is_position_large = position->is_large;
  }
  controls.epoch_reason = "no whole epoch was measured";
  if (result.epoch) {
    controls.has_epoch = true;
    controls.epoch_estimated_s = finite(result.epoch->estimated_s);
    controls.epoch_measured_s = finite(result.epoch->measured_s);
    controls.epoch_difference = finite(result.epoch->difference());
  }
  return controls;
}

const char* end_word(gate::End end) {
  switch (end) {
    case gate::End::judged:
      return "judged";
    case gate::End::time_cap:
      return "time-cap";
    case gate::End::recording_over:
      return "recording-over";
    case gate::End::candidate_failed:
      return "candidate-failed";
    case gate::End::baseline_failed:
      return "baseline-failed";
    case gate::End::not_steady:
      return "not-steady";
    case gate::End::row_missing:
      return "row-missing";
    case gate::End::disturbed:
      return "disturbed";
    case gate::End::incomparable:
      return "incomparable";
    case gate::End::interrupted:
      return "interrupted";
    case gate::End::nothing_changed:
      return "nothing-changed";
  }
  return "judged";
}

result::GateWarmup warmup_of(const GateResult& result) {
  const auto& search = result.warmup.search;
  result::GateWarmup warmup{.steps = result.warmup.steps, .searched = result.warmup.was_searched};
  warmup.time_to_steady_reason =
      warmup.searched ? "no process became steady" : "the scenario says how long the warm-up is";
  if (search && search->steady && result.end != gate::End::not_steady) {
    warmup.time_to_steady = static_cast<double>(search->time_to_steady_ns) * 1e-9;
  }
  return warmup;
}

result::GateAnchor anchor_of(const gate::Anchor& anchor) {
  const bool is_compared = anchor.skipped.empty();
  return {.words = anchor.words,
          .skipped = anchor.skipped,
          .verdict = is_compared ? gate::verdict_word(anchor.verdict) : "",
          .why = anchor.why,
          .end = is_compared ? end_word(anchor.end) : "",
          .end_reason = anchor.end_reason,
          .exit_code = static_cast<int>(anchor.code),
          .decides = anchor.decides,
          .rows = rows_of(anchor.rows),
          .may_move = gate::may_move(anchor),
          .move = anchor_move_text(anchor),
          .directory = anchor.directory,
          .warnings = anchor.warnings};
}

result::Gate gate_of(const GateResult& result) {
  result::Gate gate{.verdict = gate::verdict_word(result.verdict),
                    .headline = gate_headline(result),
                    .why = result.why,
                    .end = end_word(result.end),
                    .end_reason = result.end_reason,
                    .exit_code = static_cast<int>(gate::exit_code(result)),
                    .mode = gate::to_string(result.policy.mode),
                    .inconclusive = gate::to_string(result.policy.inconclusive),
                    .min_effect = result.policy.min_effect_ratio,
                    .rows = rows_of(result.rows),
                    .baseline = side_of(result.baseline),
                    .candidate = side_of(result.candidate),
                    .sides_are_equal = result.sides_are_equal,
                    .stored_baseline = result.baseline_name,
                    .pair_count = static_cast<std::int64_t>(result.pairs.size()),
                    .order = order_of(result),
                    .has_pairs = true,
                    .pairs = pairs_of(result.pairs),
                    .lost_pairs = pairs_of(result.lost_pairs),
                    .alpha = result.looks.alpha,
                    .looks_at = result.looks.pairs,
                    .warmup = warmup_of(result),
                    .controls = controls_of(result),
                    .calibration = result.calibration,
                    .calibrated_mde = finite(result.calibrated_mde)};
  for (const CountedRow& row : result.counted) {
    gate.rows.push_back(row_of(row));
  }
  for (const gate::LookRecord& look : result.look_records) {
    gate.looks.push_back(look_of(look));
  }
  if (result.anchor) {
    gate.anchor = anchor_of(*result.anchor);
  }
  if (const auto& judged = result.after_the_fact) {
    gate.after_the_fact = result::AfterTheFact{.directory = judged->directory,
                                               .started = judged->started_utc,
                                               .kind = judged->is_run ? "run" : "gate",
                                               .other_policy = judged->other_policy};
  }
  return gate;
}

}  // namespace

std::string to_gate_json(const GateResult& gate) {
  result::Result result;
  result.kind = "gate";
  result.summary_reason = "a gate compares two settings and ranks none";
  result.warnings = gate_warnings(gate);
  result.findings_reason = "a gate asks no rules: its verdict says what changed";
  result.recommendations_reason = "a gate recommends nothing";
  result.gate = gate_of(gate);
  result.has_environment = result.has_scenario = true;
  result.environment = environment_of(gate.run);
  result.scenario = scenario_of(gate.run.scenario);
  result.provenance = provenance_of(gate.run);
  return result::to_json(result);
}

std::string gate_summary_json(const GateResult& gate) {
  const nlohmann::ordered_json json = {{"schema", "tune-result/1"},
                                       {"kind", "gate"},
                                       {"directory", gate.run.directory.string()},
                                       {"gate", to_value(gate_of(gate))},
                                       {"warnings", gate_warnings(gate)}};
  return escaped(json_text(json, 1)) + "\n";
}

}  // namespace tune::report
