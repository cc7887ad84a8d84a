#include "report/gate_json.h"

#include "base/printable.h"
#include "gate/anchor.h"
#include "report/gate_anchor_text.h"
#include "report/gate_findings.h"
#include "report/gate_text.h"
#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using gate::CountedRow;
using gate::GateResult;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json delta_json(const gate::Row& row) {
  Json delta;
  delta["value"] = number(row.delta);
  delta["lower"] = row.has_interval ? number(row.delta_lower) : Json(nullptr);
  delta["upper"] = row.has_interval ? number(row.delta_upper) : Json(nullptr);
  delta["confidence"] = row.has_interval ? number(row.confidence) : Json(nullptr);
  delta["n"] = row.pairs;
  delta["unit"] = "ratio";
  delta["is_worse"] = row.is_worse;
  delta["p"] = number(row.evidence.p);
  delta["sign_interval"] = {{"lower", number(row.sign_lower)},
                            {"upper", number(row.sign_upper)},
                            {"confidence", number(row.sign_confidence)}};
  delta["reason"] = row.has_interval ? Json(nullptr) : Json("too few pairs for an interval");
  return delta;
}

Json row_json(const gate::Row& row) {
  Json json;
  json["metric"] = row.metric;
  json["kind"] = "measured";
  json["gated"] = true;
  json["unit"] = row.unit;
  json["baseline"] = number(row.baseline.value);
  json["candidate"] = number(row.candidate.value);
  json["delta"] = delta_json(row);
  json["budget"] = row.budget_ratio;
  json["mde"] = number(row.mde);
  json["pairs"] = row.pairs;
  json["verdict"] = gate::verdict_word(row.verdict);
  json["why"] = row.why;
  return json;
}

Json range_json(double low, double high) {
  return low == high ? Json(low) : Json::array({low, high});
}

Json counted_json(const CountedRow& row) {
  Json json;
  json["metric"] = row.metric;
  json["kind"] = "counted";
  json["gated"] = row.is_gated;
  json["unit"] = row.unit;
  json["baseline"] = range_json(row.baseline_low, row.baseline_high);
  json["candidate"] = range_json(row.candidate_low, row.candidate_high);
  json["delta"] = {
      {"value",
       row.baseline_high > 0 ? number(row.candidate_low / row.baseline_high - 1) : Json(nullptr)},
      {"lower", nullptr},
      {"upper", nullptr},
      {"reason", "counted, not measured: it has no interval"}};
  json["budget"] = row.budget_ratio;
  json["mde"] = nullptr;
  json["pairs"] = nullptr;
  json["verdict"] = gate::verdict_word(row.verdict);
  json["why"] = row.why;
  return json;
}

Json side_json(const gate::Side& side) {
  Json files = Json::object();
  for (const auto& [path, sha256] : side.files) {
    files[path] = sha256;
  }
  return {{"words", side.words},
          {"model", side.spec.workload.model},
          {"knobs", to_json(side.spec.knobs)},
          {"own_setting", side.is_own_setting},
          {"worker_sha256", text_or_null(side.worker_sha256)},
          {"data_sha256", text_or_null(side.spec.data.manifest_sha256)},
          {"commit", text_or_null(side.commit)},
          {"files", std::move(files)}};
}

Json look_json(const gate::LookRecord& look) {
  Json rows = Json::array();
  for (const gate::Row& row : look.rows) {
    rows.push_back({{"metric", row.metric},
                    {"lower", number(row.evidence.lower)},
                    {"estimate", number(row.evidence.estimate)},
                    {"upper", number(row.evidence.upper)},
                    {"p", number(row.evidence.p)},
                    {"mde", number(row.mde)},
                    {"verdict", gate::verdict_word(row.verdict)}});
  }
  return {{"utc", look.utc},
          {"look", look.index + 1},
          {"pairs", look.pairs},
          {"alpha_spent", look.alpha_spent},
          {"alpha_total", look.alpha_total},
          {"tainted_slices",
           {{"baseline", look.baseline_tainted}, {"candidate", look.candidate_tainted}}},
          {"rows", std::move(rows)}};
}

Json process_json(const gate::ProcessSummary& process) {
  Json values = Json::object();
  for (const auto& [metric, value] : process.values) {
    values[metric] = number(value);
  }
  return {{"values", std::move(values)},
          {"clean_slices", process.slices.clean},
          {"tainted_slices", process.slices.tainted},
          {"taint", text_or_null(process.taints.empty() ? "" : process.taints.front())},
          {"steadiness", process.steadiness.label()},
          {"steadiness_why", text_or_null(process.steadiness.why())}};
}

Json pairs_json(const std::vector<gate::Pair>& pairs) {
  Json list = Json::array();
  for (const gate::Pair& pair : pairs) {
    list.push_back({{"order", pair.baseline_first ? "AB" : "BA"},
                    {"baseline", process_json(pair.baseline)},
                    {"candidate", process_json(pair.candidate)}});
  }
  return list;
}

std::string order_of(const GateResult& result) {
  std::string order;
  for (const gate::Pair& pair : result.pairs) {
    order += (order.empty() ? "" : " ") + std::string(pair.baseline_first ? "AB" : "BA");
  }
  return order;
}

Json controls_json(const GateResult& result) {
  Json json;
  Json sentinel = nullptr;
  if (result.environment) {
    sentinel = {{"value", number(std::expm1(result.environment->estimate))},
                {"lower", number(std::expm1(result.environment->lower))},
                {"upper", number(std::expm1(result.environment->upper))},
                {"shifted", result.environment->is_shifted}};
  }
  put_or_reason(json, "sentinel", std::move(sentinel), "the worker timed no sentinel");
  Json position = nullptr;
  if (result.position && result.position->blocks > 0) {
    position = {{"value", number(std::expm1(result.position->log_ratio))},
                {"lower", number(std::expm1(result.position->lower))},
                {"upper", number(std::expm1(result.position->upper))},
                {"blocks", result.position->blocks},
                {"large", result.position->is_large}};
  }
  put_or_reason(json, "position_effect", std::move(position), "no pair of pairs was measured");
  Json epoch = nullptr;
  if (result.epoch) {
    epoch = {{"estimated", number(result.epoch->estimated_s)},
             {"measured", number(result.epoch->measured_s)},
             {"difference", number(result.epoch->difference())}};
  }
  put_or_reason(json, "epoch", std::move(epoch), "no whole epoch was measured");
  json["taint_p"] = number(result.taint_p);
  json["steadiness"] = {{"baseline", to_json(result.baseline_steadiness)},
                        {"candidate", to_json(result.candidate_steadiness)}};
  return json;
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

Json warmup_json(const GateResult& result) {
  const auto& search = result.warmup.search;
  const bool is_steady = search && search->steady && result.end != gate::End::not_steady;
  Json json = {{"steps", result.warmup.steps}, {"searched", result.warmup.was_searched}};
  put_or_reason(json,
                "time_to_steady",
                is_steady ? Json(static_cast<double>(search->time_to_steady_ns) * 1e-9) : Json(),
                result.warmup.was_searched ? "no process became steady"
                                           : "the scenario says how long the warm-up is");
  return json;
}

Json rows_json(const std::vector<gate::Row>& rows) {
  Json list = Json::array();
  for (const gate::Row& row : rows) {
    list.push_back(row_json(row));
  }
  return list;
}

Json anchor_json(const std::optional<gate::Anchor>& anchor) {
  if (!anchor) {
    return nullptr;
  }
  const bool is_compared = anchor->skipped.empty();
  Json json;
  json["words"] = anchor->words;
  json["skipped"] = text_or_null(anchor->skipped);
  json["verdict"] = is_compared ? Json(gate::verdict_word(anchor->verdict)) : Json(nullptr);
  json["why"] = anchor->why;
  json["end"] = is_compared ? Json(end_word(anchor->end)) : Json(nullptr);
  json["end_reason"] = text_or_null(anchor->end_reason);
  json["exit_code"] = static_cast<int>(anchor->code);
  json["decides"] = anchor->decides;
  json["rows"] = rows_json(anchor->rows);
  json["may_move"] = gate::may_move(*anchor);
  json["move"] = anchor_move_text(*anchor);
  json["directory"] = text_or_null(anchor->directory);
  json["warnings"] = anchor->warnings;
  return json;
}

Json after_the_fact_json(const std::optional<gate::AfterTheFact>& judged) {
  return judged ? Json{{"directory", judged->directory},
                       {"started", judged->started_utc},
                       {"kind", judged->is_run ? "run" : "gate"},
                       {"other_policy", judged->other_policy}}
                : Json(nullptr);
}

Json gate_part(const GateResult& result) {
  Json rows = rows_json(result.rows);
  for (const CountedRow& row : result.counted) {
    rows.push_back(counted_json(row));
  }
  Json looks = Json::array();
  for (const gate::LookRecord& look : result.look_records) {
    looks.push_back(look_json(look));
  }
  Json json;
  json["verdict"] = gate::verdict_word(result.verdict);
  json["headline"] = gate_headline(result);
  json["why"] = result.why;
  json["end"] = end_word(result.end);
  json["end_reason"] = text_or_null(result.end_reason);
  json["exit_code"] = static_cast<int>(gate::exit_code(result));
  json["mode"] = gate::to_string(result.policy.mode);
  json["inconclusive"] = gate::to_string(result.policy.inconclusive);
  json["min_effect"] = result.policy.min_effect_ratio;
  json["rows"] = std::move(rows);
  json["sides"] = {{"baseline", side_json(result.baseline)},
                   {"candidate", side_json(result.candidate)},
                   {"equal", result.sides_are_equal}};
  json["stored_baseline"] = text_or_null(result.baseline_name);
  json["pairs"] = result.pairs.size();
  json["order"] = order_of(result);
  json["measured_pairs"] = pairs_json(result.pairs);
  json["lost_pairs"] = pairs_json(result.lost_pairs);
  json["alpha"] = result.looks.alpha;
  json["looks_at"] = result.looks.pairs;
  json["looks"] = std::move(looks);
  json["warmup"] = warmup_json(result);
  json["controls"] = controls_json(result);
  json["calibration"] = result.calibration;
  json["calibrated_mde"] = number(result.calibrated_mde);
  json["anchor"] = anchor_json(result.anchor);
  json["after_the_fact"] = after_the_fact_json(result.after_the_fact);
  return json;
}

Json scenario_part(const scenario::Scenario& scenario) {
  return {{"name", scenario.name},
          {"description", scenario.description},
          {"file", scenario.file.string()},
          {"sha256", scenario.sha256},
          {"text", scenario.text}};
}

}  // namespace

std::string to_gate_json(const GateResult& result) {
  const campaign::CampaignResult& run = result.run;
  Json json;
  json["schema"] = "tune-result/1";
  json["kind"] = "gate";
  put_or_reason(json, "summary", nullptr, "a gate compares two settings and ranks none");
  json["warnings"] = gate_warnings(result);
  json["cells"] = Json::array();
  json["collapsed"] = Json::array();
  json["forbidden"] = Json::array();
  json["metrics"] = Json::array();
  json["findings"] = gate_findings(result);
  json["findings_reason"] = nullptr;
  json["recommendations"] = Json::array();
  json["recommendations_reason"] = "a gate recommends nothing";
  put_or_reason(json, "gate", gate_part(result), "");
  json["environment"] = environment_json(run);
  json["scenario"] = scenario_part(run.scenario);
  json["provenance"] = provenance_json(run);
  return tune::escaped(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string gate_summary_json(const GateResult& result) {
  Json json;
  json["schema"] = "tune-result/1";
  json["kind"] = "gate";
  json["directory"] = result.run.directory.string();
  json["gate"] = gate_part(result);
  json["warnings"] = gate_warnings(result);
  return tune::escaped(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tune::report
