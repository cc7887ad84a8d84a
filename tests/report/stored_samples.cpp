#include "stored_samples.h"

#include "difficult_results.h"
#include "hostile_words.h"
#include "measure/gate/anchor.h"
#include "report/gate_json.h"
#include "report/result_json.h"
#include "sample_gate.h"
#include "sample_result.h"

#include <limits>

namespace tune::report {

namespace {

using nlohmann::json;

constexpr const char* kRecommendations = R"([
  {"id": "R1", "rule": "synchronous-loader", "title": "Load data in background threads",
   "change": {"knobs": [{"name": "num_workers", "from": "0", "to": 2, "reason": null}], "cpp": null, "python": null,
              "text": null},
   "predicted": {"value": 0.16, "lower": 0.12, "upper": 0.2, "model": "pipeline", "formula": "f", "reason": null},
   "measured": {"value": 0.184, "lower": 0.169, "upper": 0.198, "pairs": 10}, "measured_reason": null,
   "verdict": "CONFIRMED", "severity": "high", "links": ["https://pytorch.org/docs/stable/data.html"]},
  {"id": "R2", "rule": "cpu-full-precision", "title": "Compute in bf16",
   "change": {"knobs": [{"name": "amp", "from": "none", "to": "bf16", "reason": null}]},
   "predicted": {"value": 0.3, "lower": 0.1, "upper": 0.5, "model": "amdahl"},
   "measured": null, "measured_reason": "not tested: the budget was used up", "verdict": null,
   "severity": "medium", "links": []},
  {"id": "R3", "rule": "cpu-contiguous-layout", "title": "Use channels_last",
   "change": {"knobs": [{"name": "channels_last", "from": "false", "to": true, "reason": null}]},
   "predicted": null, "measured": {"value": -0.01, "lower": -0.02, "upper": 0.002, "pairs": 7},
   "verdict": "REFUTED", "severity": "low", "links": []}])";

gate::GateResult gate_of(stats::GateVerdict verdict) {
  gate::GateResult result =
      sample_gate(verdict, verdict == stats::GateVerdict::improved ? 0.8 : 1.2);
  result.rows.push_back(gate_row("epoch_time", 1, stats::GateVerdict::pass));
  result.rows.back().unit = "s";
  result.run.scenario.text += "gate: {metrics: [throughput, epoch_time], budget: 3%}\n";
  return result;
}

gate::GateResult failed_gate() {
  gate::GateResult result = gate_of(stats::GateVerdict::regressed);
  result.end = gate::End::candidate_failed;
  result.end_reason = "the candidate crashed: SIGSEGV <in> \"forward\"\n\x1b[31m";
  result.rows.clear();
  result.counted.clear();
  result.look_records.clear();
  return result;
}

gate::GateResult hostile_gate() {
  gate::GateResult result = gate_of(stats::GateVerdict::inconclusive);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  gate::Row& row = result.rows.front();
  row.metric = "a:b,c%\n<d>\"e\" " + std::string(10'000, 'm');
  row.why = "x | y, \"z\" ::error::\r\n" + hostile_words();
  row.baseline.value = nan;
  row.delta.value = row.delta.lower = std::numeric_limits<double>::infinity();
  row.budget_ratio = nan;
  row.mde = nan;
  gate::Anchor anchor;
  anchor.words = anchor.end_reason = row.why + row.metric;
  anchor.end = gate::End::baseline_failed;
  anchor.verdict = stats::GateVerdict::inconclusive;
  anchor.rows = result.rows;
  gate::add_anchor(result, anchor);
  result.run.scenario.name = "=cmd|' /C calc'!A0";
  result.run.scenario.text = "{{{ no yaml";
  result.run.scenario.file = "/a folder/\xD7\x9E %20,:.yaml";
  return result;
}

// Every member of another type, one level deep.
json of_other_types(json document) {
  for (auto member = document.begin(); member != document.end(); ++member) {
    if (member.key() != "schema" && member.key() != "kind") {
      json& value = member.value();
      value = value.is_object() ? json("text") : value.is_array() ? json(1) : json::array({1, "x"});
    }
  }
  return document;
}

// A result in which everything that can be left out is.
json bare(const std::string& kind) {
  return {{"schema", "tune-result/1"}, {"kind", kind}};
}

json with_huge_numbers() {
  json document = run_document();
  for (json& cell : document["cells"]) {
    cell["throughput"] = {{"value", 1e308}, {"lower", -1e308}, {"upper", 1e308}, {"n", 3}};
    cell["gain"] = {{"value", -1e308}, {"lower", 5}, {"upper", 4}};
  }
  for (json& metric : document["metrics"]) {
    metric["value"] = metric["upper"] = 1e308;
    metric["lower"] = -5e-324;
  }
  for (json& trial : document["provenance"]["trials"]) {
    trial["seconds"] = -1e308;
    trial["measured"] = json::parse(R"({"throughput": 1e-320, "samples": 18446744073709551615,
      "cpu_seconds": 1e308, "slices": [{"steps": -1, "samples": 1, "seconds": 0}]})");
  }
  return document;
}

}  // namespace

json run_document() {
  json document = json::parse(to_result_json(sample_result()));
  document["recommendations"] = json::parse(kRecommendations);
  document["recommendations_reason"] = nullptr;
  return document;
}

json gate_document(const std::string& verdict) {
  for (const stats::GateVerdict each :
       {stats::GateVerdict::pass, stats::GateVerdict::regressed, stats::GateVerdict::improved}) {
    if (gate::verdict_word(each) == verdict) {
      return json::parse(to_gate_json(gate_of(each)));
    }
  }
  return json::parse(to_gate_json(gate_of(stats::GateVerdict::inconclusive)));
}

result::Result stored(const json& document) {
  return result::read_result(document.dump(), "result.json");
}

std::vector<std::pair<std::string, json>> difficult_documents() {
  std::vector<std::pair<std::string, json>> documents;
  for (const auto& [name, result] : difficult_results()) {
    documents.emplace_back(name, json::parse(to_result_json(result)));
  }
  documents.emplace_back("recommendations", run_document());
  for (const char* verdict : {"PASS", "REGRESSED", "IMPROVED", "INCONCLUSIVE"}) {
    documents.emplace_back(std::string("gate ") + verdict, gate_document(verdict));
  }
  documents.emplace_back("failed gate", json::parse(to_gate_json(failed_gate())));
  documents.emplace_back("anchored gate", json::parse(to_gate_json(anchored_gate())));
  documents.emplace_back("hostile gate", json::parse(to_gate_json(hostile_gate())));
  documents.emplace_back("other types", of_other_types(run_document()));
  documents.emplace_back("other types in a gate", of_other_types(gate_document()));
  documents.emplace_back("huge numbers", with_huge_numbers());
  for (const char* kind : {"run", "gate", "analyze", "calibrate", ""}) {
    documents.emplace_back(std::string("bare ") + kind, bare(kind));
  }
  return documents;
}

}  // namespace tune::report
