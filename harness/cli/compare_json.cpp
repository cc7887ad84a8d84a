#include "cli/compare_view.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tune::cli {

namespace {

using Json = nlohmann::ordered_json;
using report::ComparedCells;
using report::ComparedMetric;
using report::ComparedRun;

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json word_json(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json to_json(const result::Number& number, const std::string& window) {
  return {{"value", optional_json(number.value)},
          {"lower", optional_json(number.lower)},
          {"upper", optional_json(number.upper)},
          {"confidence", optional_json(number.confidence)},
          {"n", number.n},
          {"window", window},
          {"reason", word_json(number.reason)}};
}

Json to_json(const ComparedMetric& metric) {
  return {{"metric", metric.id},
          {"unit", metric.unit},
          {"a", to_json(metric.a, metric.window_a)},
          {"b", to_json(metric.b, metric.window_b)},
          {"change", optional_json(metric.change)},
          {"b_is", report::name(metric.relation)},
          {"code", report::code_of(metric.relation)}};
}

Json to_json(const ComparedCells& cells) {
  Json knobs = Json::array();
  for (const ComparedCells::Knob& knob : cells.knobs) {
    knobs.push_back({{"knob", knob.name}, {"a", knob.a}, {"b", knob.b}});
  }
  Json metrics = Json::array();
  for (const ComparedMetric& metric : cells.metrics) {
    metrics.push_back(to_json(metric));
  }
  return {{"a", {{"cell", cells.a}, {"setting", cells.setting_a}}},
          {"b", {{"cell", cells.b}, {"setting", cells.setting_b}}},
          {"knobs", std::move(knobs)},
          {"metrics", std::move(metrics)}};
}

Json to_json(const ComparedRun& run) {
  const result::Result& result = run.result;
  return {{"name", run.name},
          {"kind", result.kind},
          {"scenario", word_json(result.scenario.name)},
          {"started", word_json(result.provenance.started)},
          {"tune_version", word_json(result.provenance.tune_version)},
          {"torch_version", word_json(result.environment.worker.torch_version)},
          {"complete", result.provenance.complete}};
}

}  // namespace

std::string comparison_json(const report::RunComparison& comparison, Codes codes) {
  Json differences = Json::array();
  bool is_comparable = true;
  for (const report::RunDifference& each : comparison.differences) {
    differences.push_back({{"what", each.what},
                           {"a", word_json(each.a)},
                           {"b", word_json(each.b)},
                           {"obstacle", each.is_obstacle},
                           {"code", each.code}});
    is_comparable = is_comparable && !each.is_obstacle;
  }
  Json cells = Json::array();
  for (const ComparedCells& each : comparison.cells) {
    cells.push_back(to_json(each));
  }
  Json json;
  json["schema"] = "tune-compare/1";
  json["a"] = to_json(comparison.a);
  json["b"] = to_json(comparison.b);
  json["comparable"] = is_comparable;
  json["differences"] = std::move(differences);
  json["cells"] = std::move(cells);
  json["notes"] = notes_on(comparison);
  if (codes == Codes::shown) {
    Json meanings = Json::object();
    for (const report::ReasonCode& each : codes_in(comparison)) {
      meanings[std::string(each.code)] = each.meaning;
    }
    json["codes"] = std::move(meanings);
  }
  json["verdict"] = nullptr;
  json["verdict_reason"] = report::kNoVerdict;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tune::cli
