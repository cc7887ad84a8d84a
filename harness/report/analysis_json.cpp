#include "report/analysis_json.h"

#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  const auto known = value ? finite(*value) : std::nullopt;
  return known ? Json(*known) : Json(nullptr);
}

Json metric_json(const metric::Metric& metric) {
  Json json;
  json["id"] = metric.id;
  json["unit"] = metric.unit;
  json["value"] = number(metric.value);
  json["lower"] = number(metric.lower);
  json["upper"] = number(metric.upper);
  json["confidence"] = metric.lower ? number(metric.confidence) : Json(nullptr);
  json["n"] = metric.n;
  json["cell"] = nullptr;
  json["window"] = "profile";
  json["reason"] = text_or_null(metric.reason);
  json["warnings"] = metric.warnings;
  return json;
}

Json summary_part(const AnalysisRecord& record) {
  Json json;
  json["headline"] = record.headline;
  json["standing"] = "analyzed";
  const char* const kWhy = "a trace shows one setting, and no throughput";
  put_or_reason(json, "baseline", nullptr, kWhy);
  put_or_reason(json, "best", nullptr, kWhy);
  json["trials"] = {{"run", 0}, {"failed", 0}, {"grid", 0}};
  return json;
}

Json provenance_part(const AnalysisRecord& record) {
  Json json;
  json["tune_version"] = record.tune_version;
  put_or_reason(json, "commit", text_or_null(record.commit), "not built from a repository");
  json["command"] = record.command;
  json["directory"] = record.directory;
  json["started"] = record.started_utc;
  json["elapsed"] = static_cast<double>(record.elapsed_ns) * 1e-9;
  return json;
}

}  // namespace

std::string to_analysis_json(const AnalysisRecord& record, Json trace) {
  Json metrics = Json::array();
  for (const metric::Metric& metric : record.metrics) {
    metrics.push_back(metric_json(metric));
  }
  Json json;
  json["schema"] = "tune-result/1";
  json["kind"] = "analyze";
  json["summary"] = summary_part(record);
  json["warnings"] = record.warnings;
  json["cells"] = Json::array();
  json["collapsed"] = Json::array();
  json["forbidden"] = Json::array();
  json["metrics"] = std::move(metrics);
  json["findings"] = Json::array();
  json["findings_reason"] = "no rule was asked";
  json["recommendations"] = Json::array();
  json["recommendations_reason"] = "no rule was asked";
  put_or_reason(json, "gate", nullptr, "an analysis judges nothing");
  put_or_reason(
      json, "environment", nullptr, "a trace does not describe the machine it comes from");
  put_or_reason(json, "scenario", nullptr, "a trace has none");
  json["provenance"] = provenance_part(record);
  json["trace"] = std::move(trace);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tune::report
