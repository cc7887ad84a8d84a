#include "report/result_json.h"

#include "base/printable.h"
#include "report/diagnosis_json.h"
#include "report/failures.h"
#include "report/json_parts.h"
#include "report/ladder_text.h"
#include "report/prediction_json.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using campaign::CampaignResult;

Json scenario_json(const scenario::Scenario& scenario) {
  Json json;
  json["name"] = scenario.name;
  json["description"] = scenario.description;
  json["file"] = scenario.file.string();
  json["sha256"] = scenario.sha256;
  json["text"] = scenario.text;
  return json;
}

Json collapsed_json(const scenario::Plan& plan) {
  Json list = Json::array();
  for (const scenario::CollapsedKnob& knob : plan.collapsed) {
    list.push_back({{"knob", knob.knob}, {"reason", knob.reason}, {"cells", knob.cells}});
  }
  return list;
}

Json forbidden_json(const scenario::Plan& plan) {
  Json list = Json::array();
  for (const scenario::ForbiddenCells& forbidden : plan.forbidden) {
    list.push_back({{"expression", forbidden.text}, {"cells", forbidden.cells}});
  }
  return list;
}

}  // namespace

std::string to_result_json(const CampaignResult& result) {
  Json json;
  json["schema"] = "tune-result/1";
  json["kind"] = "run";
  json["summary"] = summary_json(result);
  json["warnings"] = warnings(result);
  json["cells"] = cells_json(result);
  json["confirmations"] = confirmations_json(result);
  json["method"] = method_json(result);
  json["collapsed"] = collapsed_json(result.plan);
  json["forbidden"] = forbidden_json(result.plan);
  json["metrics"] = metrics_json(result);
  json["profiles"] = profiles_json(result);
  put_or_reason(json, "telemetry", telemetry_json(result), "no trial recorded the machine");
  add_limits(json, result);
  add_diagnosis(json, result.diagnosis ? &result.diagnosis->diagnosis : nullptr);
  put_or_reason(
      json,
      "proposals",
      proposals_json(result),
      result.proposals ? result.proposals->reason : "the rules were not asked during the run");
  json["ladder"] = ladder_json(result);
  put_or_reason(json, "prediction_quality", prediction_quality_json(result), "no rule was asked");
  put_or_reason(json, "gate", nullptr, "a run is not a gate");
  json["environment"] = environment_json(result);
  json["scenario"] = scenario_json(result.scenario);
  json["provenance"] = provenance_json(result);
  // Paths and messages may hold any bytes: what is no UTF-8 becomes U+FFFD.
  return tune::escaped(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tune::report
