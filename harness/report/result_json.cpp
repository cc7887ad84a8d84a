#include "report/result_json.h"

#include "base/fields.h"
#include "report/failures.h"
#include "report/result_of.h"

#include <nlohmann/json.hpp>

namespace tune::report {

result::Result result_of(const campaign::CampaignResult& run) {
  result::Result result;
  result.kind = "run";
  result.has_summary = result.has_environment = result.has_scenario = true;
  fill_answer(run, result);
  result.warnings = warnings(run);
  fill_metrics(run, result);
  fill_profiles(run, result);
  fill_diagnosis(run.diagnosis ? &run.diagnosis->diagnosis : nullptr, result);
  fill_predictions(run, result);
  result.gate_reason = "a run is not a gate";
  result.environment = environment_of(run);
  result.scenario = scenario_of(run.scenario);
  result.provenance = provenance_of(run);
  fill_script(run, result);
  result.complete();
  return result;
}

nlohmann::ordered_json result_value(const campaign::CampaignResult& run) {
  return to_value(result_of(run));
}

std::string to_result_json(const campaign::CampaignResult& run) {
  return result::to_json(result_of(run));
}

}  // namespace tune::report
