#include "report/prediction_json.h"

#include "report/json_parts.h"
#include "report/prediction_text.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using advice::JudgedPrediction;
using advice::PredictionQuality;

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const PredictionQuality& quality) {
  const bool is_any = quality.n > 0;
  Json json;
  json["n"] = quality.n;
  json["confirmed"] = quality.confirmed;
  json["refuted"] = quality.refuted;
  json["ambiguous"] = quality.ambiguous;
  json["in_range"] = quality.in_range;
  json["hit_rate"] = is_any ? Json(quality.hit_rate()) : Json(nullptr);
  json["coverage"] = is_any ? Json(quality.coverage()) : Json(nullptr);
  json["bias"] = or_null(quality.bias);
  json["mean_error"] = or_null(quality.mean_error);
  json["median_error"] = or_null(quality.median_error);
  json["spearman_rho"] = or_null(quality.rho);
  return json;
}

Json to_json(const JudgedPrediction& prediction) {
  const advice::MeasuredGain& gain = prediction.measured;
  Json json;
  json["run"] = prediction.run;
  json["id"] = prediction.recommendation;
  json["rule"] = prediction.rule;
  json["model"] = prediction.model;
  json["predicted"] = {
      {"value", prediction.middle()}, {"lower", prediction.lower}, {"upper", prediction.upper}};
  json["measured"] = {
      {"value", gain.value}, {"lower", gain.lower}, {"upper", gain.upper}, {"pairs", gain.pairs}};
  json["error"] = prediction.error();
  json["in_range"] = prediction.is_in_range();
  json["verdict"] = advice::to_text(gain.verdict);
  return json;
}

}  // namespace

Json to_json(const advice::PredictionHistory& history) {
  Json json;
  json["runs"] = history.runs;
  json["skipped"] = Json::array();
  for (const advice::SkippedRun& skipped : history.skipped) {
    json["skipped"].push_back({{"run", skipped.run}, {"reason", skipped.reason}});
  }
  json["all"] = to_json(advice::prediction_quality(history.predictions));
  json["rules"] = Json::array();
  const advice::HitRates weights = advice::hit_rates(history.predictions);
  for (const advice::RuleQuality& rule : advice::quality_by_rule(history.predictions)) {
    Json row;
    row["rule"] = rule.rule;
    row.update(to_json(rule.quality));
    row["rank_weight"] = weights.at(rule.rule);
    json["rules"].push_back(std::move(row));
  }
  json["predictions"] = Json::array();
  for (const JudgedPrediction& prediction : history.predictions) {
    json["predictions"].push_back(to_json(prediction));
  }
  return json;
}

Json prediction_quality_json(const campaign::CampaignResult& result) {
  if (!result.diagnosis) {
    return nullptr;
  }
  Json json = to_json(predictions_until(result));
  json["this_run"] = to_json(advice::prediction_quality(own_predictions(result)));
  return json;
}

}  // namespace tune::report
