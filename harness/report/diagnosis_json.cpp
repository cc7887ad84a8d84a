#include "report/diagnosis_json.h"

#include "report/gain_parts_text.h"
#include "report/json_parts.h"
#include "report/number_text.h"
#include "rule/metric_unit.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using advice::Diagnosis;
using advice::Evidence;
using advice::Finding;
using advice::PredictedGain;
using advice::Recommendation;
using expression::Number;
using expression::Unknown;
using expression::Value;

Json to_json(const Value& value) {
  if (const auto* const number = std::get_if<Number>(&value.data)) {
    const auto known = finite(number->value);
    return known ? Json(*known) : Json(nullptr);
  }
  if (const auto* const flag = std::get_if<bool>(&value.data)) {
    return *flag;
  }
  if (const auto* const text = std::get_if<std::string>(&value.data)) {
    return *text;
  }
  Json list = Json::array();
  for (const Value& element : std::get<Value::List>(value.data)) {
    list.push_back(to_json(element));
  }
  return list;
}

Json unit_of(const expression::Result& result) {
  const auto* const value = std::get_if<Value>(&result);
  const auto* const number = value != nullptr ? std::get_if<Number>(&value->data) : nullptr;
  return number != nullptr ? text_or_null(std::string(rule::unit_of_dimension(number->dimension)))
                           : Json(nullptr);
}

Json to_json(const Evidence& evidence) {
  const auto* const value = std::get_if<Value>(&evidence.value);
  const auto* const unknown = std::get_if<Unknown>(&evidence.value);
  Json examples = Json::array();
  for (const rule::Example& example : evidence.examples) {
    examples.push_back({{"name", example.name},
                        {"start_ns", example.start_ns},
                        {"duration_ns", example.duration_ns}});
  }
  return {{"metric", evidence.name},
          {"value", value != nullptr ? to_json(*value) : Json(nullptr)},
          {"unit", unit_of(evidence.value)},
          {"reason", unknown != nullptr ? Json(unknown->reason) : Json(nullptr)},
          {"limit", text_or_null(evidence.limit)},
          {"limit_source", text_or_null(evidence.limit_source)},
          {"source", text_or_null(evidence.source)},
          {"window", text_or_null(evidence.window)},
          {"examples", std::move(examples)}};
}

Json to_json(const PredictedGain& gain) {
  Json json;
  json["value"] = gain.is_known() ? Json(gain.middle()) : Json(nullptr);
  json["lower"] = gain.is_known() ? Json(*gain.lower) : Json(nullptr);
  json["upper"] = gain.is_known() ? Json(*gain.upper) : Json(nullptr);
  json["model"] = to_text(gain.model);
  json["formula"] = text_or_null(gain.formula);
  json["reason"] = text_or_null(gain.reason);
  return json;
}

Json to_json(const trial::KnobValue& value) {
  return std::visit([](const auto& plain) { return Json(plain); }, value);
}

Json change_json(const Recommendation& recommendation) {
  const rule::Change& change = recommendation.rule->change;
  Json knobs = Json::array();
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    knobs.push_back({{"name", knob.name},
                     {"from", text_or_null(knob.from)},
                     {"to", knob.to ? to_json(*knob.to) : Json(nullptr)},
                     {"reason", text_or_null(knob.reason)}});
  }
  return {{"knobs", std::move(knobs)},
          {"cpp", text_or_null(recommendation.cpp)},
          {"python", text_or_null(recommendation.python)},
          {"environment", recommendation.environment},
          {"text", text_or_null(change.text)}};
}

Json attribution_json(const advice::Attribution& attribution) {
  Json phases = Json::array();
  for (const advice::PhaseChange& phase : attribution.phases) {
    phases.push_back({{"phase", phase.id},
                      {"before", phase.before_s},
                      {"after", phase.after_s},
                      {"saved", phase.saved_s},
                      {"share", phase.share},
                      {"gain", phase.gain}});
  }
  return {{"before", attribution.before_s},
          {"after", attribution.after_s},
          {"saved", attribution.saved_s},
          {"phases", std::move(phases)}};
}

Json measured_json(const Recommendation& recommendation) {
  if (!recommendation.measured) {
    return nullptr;
  }
  const advice::MeasuredGain& gain = *recommendation.measured;
  Json json = {{"value", gain.value},
               {"lower", gain.lower},
               {"upper", gain.upper},
               {"pairs", gain.pairs},
               {"before", gain.before},
               {"after", gain.after}};
  json["attribution"] = gain.attribution ? attribution_json(*gain.attribution) : Json(nullptr);
  return json;
}

Json to_json(const Recommendation& recommendation) {
  const rule::Rule& rule = *recommendation.rule;
  Json json;
  json["id"] = recommendation.id;
  json["rule"] = rule.id;
  json["title"] = rule.title;
  json["change"] = change_json(recommendation);
  json["predicted"] = to_json(recommendation.predicted);
  put_or_reason(json,
                "measured",
                measured_json(recommendation),
                recommendation.unmeasured.empty() ? "predicted only: a trace cannot be run again"
                                                  : recommendation.unmeasured);
  json["verdict"] = recommendation.measured
                        ? Json(advice::to_text(recommendation.measured->verdict))
                        : Json(nullptr);
  json["against_prediction"] = text_or_null(prediction_words(recommendation));
  json["severity"] = to_text(recommendation.severity);
  json["confidence"] = to_text(recommendation.confidence);
  json["numerics"] = rule.preserves_numerics ? "preserving" : "changing";
  json["transfers"] = rule.helps_python ? "python" : "cpp";
  json["guidance"] = rule.guidance;
  json["risks"] = recommendation.risks;
  json["rejected"] = recommendation.rejected;
  json["explains"] = recommendation.explains;
  json["verify"] = rule.verify;
  json["links"] = rule.links;
  return json;
}

// Facts beside the metrics: of settings and of the machine.
Json facts_json(const rule::FactTable& facts) {
  Json list = Json::array();
  for (const auto& [name, fact] : facts.facts()) {
    if (fact.window != "profile") {
      list.push_back(to_json(Evidence{
          .name = name, .value = fact.result, .source = fact.source, .window = fact.window}));
    }
  }
  return list;
}

}  // namespace

Json to_json(const Finding& finding) {
  const rule::Rule& rule = *finding.rule;
  const bool fired = finding.has_fired();
  Json evidence = Json::array();
  for (const Evidence& item : finding.evidence) {
    evidence.push_back(to_json(item));
  }
  Json json;
  json["rule"] = rule.id;
  json["state"] = to_text(finding.state);
  json["severity"] = fired ? Json(to_text(finding.severity)) : Json(nullptr);
  json["evidence"] = std::move(evidence);
  json["reason"] = text_or_null(finding.reason);
  json["group"] = to_text(rule.group);
  json["title"] = rule.title;
  json["question"] = rule.question;
  json["expression"] = text_or_null(finding.text);
  json["gain"] = fired ? to_json(finding.gain) : Json(nullptr);
  json["confidence"] = fired ? Json(to_text(finding.confidence)) : Json(nullptr);
  json["labels"] = finding.labels;
  json["explained_by"] = finding.explained_by;
  json["muted_by"] = text_or_null(finding.muted_by);
  json["needs_a_run"] = finding.needs_a_run;
  return json;
}

void add_diagnosis(Json& json, const Diagnosis* diagnosis) {
  json["findings"] = Json::array();
  json["recommendations"] = Json::array();
  if (diagnosis == nullptr) {
    json["findings_reason"] = "no rule was asked";
    json["recommendations_reason"] = "no rule was asked";
    return;
  }
  for (const Finding& finding : diagnosis->findings) {
    json["findings"].push_back(to_json(finding));
  }
  for (const Recommendation& recommendation : diagnosis->recommendations) {
    json["recommendations"].push_back(to_json(recommendation));
  }
  const bool are_none = diagnosis->recommendations.empty();
  json["findings_reason"] = nullptr;
  json["recommendations_reason"] =
      are_none ? Json("no rule fired that proposes a change with a gain") : Json(nullptr);
  json["rank_formula"] = advice::rank_formula();
  json["facts"] = facts_json(diagnosis->facts);
}

}  // namespace tune::report
