#include "report/analysis_json.h"

#include "base/printable.h"
#include "report/diagnosis_json.h"
#include "report/json_parts.h"
#include "report/metric_json.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

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
    metrics.push_back(to_json(metric, nullptr));
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
  add_diagnosis(json, record.diagnosis);
  put_or_reason(json, "gate", nullptr, "an analysis judges nothing");
  put_or_reason(
      json, "environment", nullptr, "a trace does not describe the machine it comes from");
  put_or_reason(json, "scenario", nullptr, "a trace has none");
  json["provenance"] = provenance_part(record);
  json["trace"] = std::move(trace);
  return tune::escaped(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tune::report
