// What the rules said, as a result.json says it.

#include "advice/rule/known_name.h"
#include "base/expression/value.h"
#include "base/text.h"
#include "report/diagnosis_text.h"
#include "report/headline.h"
#include "report/number_text.h"
#include "report/prediction_text.h"
#include "report/result_of.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using expression::Number;
using expression::Unknown;
using expression::Value;

result::Value value_of(const Value& value) {
  if (const auto* const number = std::get_if<Number>(&value.data)) {
    const auto known = finite(number->value);
    return known ? result::Value{.data = *known} : result::Value();
  }
  if (const auto* const flag = std::get_if<bool>(&value.data)) {
    return {.data = *flag};
  }
  if (const auto* const text = std::get_if<std::string>(&value.data)) {
    return {.data = *text};
  }
  result::Value::List list;
  for (const Value& element : std::get<Value::List>(value.data)) {
    list.push_back(value_of(element));
  }
  return {.data = std::move(list)};
}

std::string unit_of(const expression::Result& result) {
  const auto* const value = std::get_if<Value>(&result);
  const auto* const number = value != nullptr ? std::get_if<Number>(&value->data) : nullptr;
  return number != nullptr ? std::string(rule::unit_of_dimension(number->dimension)) : "";
}

result::Evidence evidence_of(const advice::Evidence& evidence) {
  const auto* const value = std::get_if<Value>(&evidence.value);
  const auto* const unknown = std::get_if<Unknown>(&evidence.value);
  result::Evidence item{.metric = evidence.name,
                        .value = value != nullptr ? value_of(*value) : result::Value(),
                        .unit = unit_of(evidence.value),
                        .reason = unknown != nullptr ? unknown->reason : "",
                        .limit = evidence.limit,
                        .limit_source = evidence.limit_source,
                        .source = evidence.source,
                        .window = evidence.window};
  for (const rule::Example& example : evidence.examples) {
    item.examples.push_back(
        {.name = example.name, .start_ns = example.start_ns, .duration_ns = example.duration_ns});
  }
  return item;
}

// "-- data_wait_ratio 0.31 > 5 %: true"
std::string part_text(const expression::ExplainedPart& part) {
  constexpr std::size_t kDeepest = 10, kLongest = 400;
  const auto* const value = std::get_if<Value>(&part.result);
  std::string text = std::string(2 * std::min(part.level, kDeepest), '-');
  text += text.empty() ? "" : " ";
  text += part.text + ": ";
  text += value != nullptr ? expression::to_readable_text(*value)
                           : "unknown, " + std::get<Unknown>(part.result).reason;
  return shortened(text, kLongest);
}

result::Change change_of(const advice::Recommendation& recommendation) {
  result::Change change{.cpp = recommendation.cpp,
                        .python = recommendation.python,
                        .environment = recommendation.environment,
                        .text = recommendation.rule->change.text};
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    change.knobs.push_back(
        {.name = knob.name, .from = knob.from, .to = knob.to, .reason = knob.reason});
  }
  return change;
}

result::Attribution attribution_of(const advice::Attribution& attribution) {
  result::Attribution all{
      .before = attribution.before_s, .after = attribution.after_s, .saved = attribution.saved_s};
  for (const advice::PhaseChange& phase : attribution.phases) {
    all.phases.push_back({.phase = std::string(phase.id),
                          .before = phase.before_s,
                          .after = phase.after_s,
                          .saved = phase.saved_s,
                          .share = phase.share,
                          .gain = phase.gain});
  }
  return all;
}

result::MeasuredGain measured_of(const advice::Recommendation& recommendation) {
  result::MeasuredGain measured;
  measured.gain.reason =
      recommendation.unmeasured.empty() ? kOfATraceAlone : recommendation.unmeasured;
  if (!recommendation.measured) {
    return measured;
  }
  const advice::MeasuredGain& gain = *recommendation.measured;
  measured = {.gain = {.value = gain.value,
                       .lower = gain.lower,
                       .upper = gain.upper,
                       .n = gain.pairs,
                       .is_there = true},
              .before = gain.before,
              .after = gain.after};
  if (gain.attribution) {
    measured.attribution = attribution_of(*gain.attribution);
  }
  return measured;
}

// The measured gain against the predicted range; "" where either is missing.
std::string against_prediction(const advice::Recommendation& recommendation) {
  const advice::PredictedGain& predicted = recommendation.predicted;
  if (!recommendation.measured || !predicted.is_known()) {
    return "";
  }
  const double value = recommendation.measured->value;
  return value < *predicted.lower   ? "less than predicted"
         : value > *predicted.upper ? "more than predicted"
                                    : "as predicted";
}

std::vector<std::string> names_of(const std::vector<rule::Related>& rules) {
  std::vector<std::string> ids;
  ids.reserve(rules.size());
  for (const rule::Related& related : rules) {
    ids.push_back(related.id);
  }
  return ids;
}

result::Quality quality_of(const advice::PredictionQuality& quality) {
  const bool is_any = quality.n > 0;
  return {.n = static_cast<std::int64_t>(quality.n),
          .confirmed = static_cast<std::int64_t>(quality.confirmed),
          .refuted = static_cast<std::int64_t>(quality.refuted),
          .ambiguous = static_cast<std::int64_t>(quality.ambiguous),
          .in_range = static_cast<std::int64_t>(quality.in_range),
          .hit_rate = is_any ? std::optional(quality.hit_rate()) : std::nullopt,
          .coverage = is_any ? std::optional(quality.coverage()) : std::nullopt,
          .bias = quality.bias,
          .mean_error = quality.mean_error,
          .median_error = quality.median_error,
          .spearman_rho = quality.rho};
}

result::JudgedPrediction prediction_of(const advice::JudgedPrediction& prediction) {
  const advice::MeasuredGain& gain = prediction.measured;
  return {
      .run = prediction.run,
      .id = prediction.recommendation,
      .rule = prediction.rule,
      .model = prediction.model,
      .predicted = {.value = prediction.middle(),
                    .lower = prediction.lower,
                    .upper = prediction.upper},
      .measured = {.value = gain.value, .lower = gain.lower, .upper = gain.upper, .n = gain.pairs},
      .error = prediction.error(),
      .in_range = prediction.is_in_range(),
      .verdict = advice::to_text(gain.verdict)};
}

// "R1" of the recommendation that the rule makes now; "" where it makes none any more.
std::string id_of(const CampaignResult& run, const std::string& rule) {
  if (run.diagnosis) {
    for (const advice::Recommendation& each : run.diagnosis->diagnosis.recommendations) {
      if (each.rule->id == rule) {
        return each.id;
      }
    }
  }
  return "";
}

result::Rung rung_of(const CampaignResult& run, const campaign::LadderRung& rung) {
  result::Rung step{.rules = rung.rules,
                    .cell = rung.cell,
                    .changed = setting_of(rung.changed),
                    .step_gain = finite(rung.step_gain),
                    .product = finite(rung.product),
                    .product_reason = rung.product_reason,
                    .interaction = finite(rung.interaction),
                    .reason = rung.reason};
  for (const std::string& rule : rung.rules) {
    step.recommendations.push_back(id_of(run, rule));
  }
  if (rung.pairs) {
    step.gain = number_of(rung.pairs->gain, "ratio");
    step.verdict = verdict_word(*rung.pairs);
    step.pairs = rung.pairs->pairs;
  }
  return step;
}

void fill_proposals(const CampaignResult& run, result::Result& result) {
  if (!run.proposals || !run.proposals->reason.empty()) {
    result.proposals_reason =
        run.proposals ? run.proposals->reason : "the rules were not asked during the run";
    return;
  }
  for (const campaign::Proposal& proposal : run.proposals->list) {
    result.proposals.push_back({.rule = proposal.rule,
                                .changed = setting_of(proposal.knobs),
                                .lower = proposal.lower,
                                .upper = proposal.upper,
                                .outside = proposal.outside});
  }
}

}  // namespace

result::PredictedGain predicted_of(const advice::PredictedGain& gain) {
  result::PredictedGain predicted{.model = to_text(gain.model), .formula = gain.formula};
  predicted.gain.reason = gain.reason;
  constexpr double kDouble = 1;  // own: from nothing to twice the rate, a range promises nothing
  constexpr double kNothing = 0.0005;  // shown as +0.0 %
  if (gain.is_known() && *gain.lower<kNothing&& * gain.upper> kDouble) {
    predicted.gain.reason = "between nothing and more than twice the rate; only a run can tell";
  } else if (gain.is_known()) {
    predicted.gain.value = gain.middle();
    predicted.gain.lower = gain.lower;
    predicted.gain.upper = gain.upper;
  }
  return predicted;
}

result::Recommendation recommendation_of(const advice::Recommendation& recommendation) {
  const rule::Rule& rule = *recommendation.rule;
  return {
      .id = recommendation.id,
      .rule = rule.id,
      .title = rule.title,
      .change = change_of(recommendation),
      .predicted = predicted_of(recommendation.predicted),
      .measured = measured_of(recommendation),
      .verdict = recommendation.measured ? advice::to_text(recommendation.measured->verdict) : "",
      .against_prediction = against_prediction(recommendation),
      .severity = to_text(recommendation.severity),
      .confidence = to_text(recommendation.confidence),
      .numerics = rule.preserves_numerics ? "preserving" : "changing",
      .transfers = rule.helps_python ? "python" : "cpp",
      .guidance = rule.guidance,
      .risks = recommendation.risks,
      .rejected = recommendation.rejected,
      .explains = recommendation.explains,
      .verify = rule.verify,
      .links = rule.links,
      .broken_constraints = recommendation.broken_constraints,
      .explained_by = names_of(rule.explained_by),
      .mutes = names_of(rule.mutes),
      .conflicts = names_of(rule.conflicts),
      .breaks_a_limit = recommendation.breaks_a_limit};
}

result::Finding finding_of(const advice::Finding& finding) {
  const rule::Rule& rule = *finding.rule;
  const bool fired = finding.has_fired();
  result::Finding all{.rule = rule.id,
                      .state = to_text(finding.state),
                      .severity = fired ? to_text(finding.severity) : "",
                      .reason = finding.reason,
                      .group = to_text(rule.group),
                      .title = rule.title,
                      .question = rule.question,
                      .expression = finding.text,
                      .because = finding.because,
                      .confidence = fired ? to_text(finding.confidence) : "",
                      .labels = finding.labels,
                      .explained_by = finding.explained_by,
                      .muted_by = finding.muted_by,
                      .needs_a_run = finding.needs_a_run};
  for (const advice::Evidence& item : finding.evidence) {
    all.evidence.push_back(evidence_of(item));
  }
  for (const expression::ExplainedPart& part : finding.parts) {
    all.parts.push_back(part_text(part));
  }
  if (fired) {
    all.gain = predicted_of(finding.gain);
  }
  return all;
}

result::PredictionQuality quality_of(const advice::PredictionHistory& history) {
  result::PredictionQuality all{.runs = history.runs,
                                .all = quality_of(advice::prediction_quality(history.predictions))};
  for (const advice::SkippedRun& skipped : history.skipped) {
    all.skipped.push_back({.run = skipped.run, .reason = skipped.reason});
  }
  const advice::HitRates weights = advice::hit_rates(history.predictions);
  for (const advice::RuleQuality& rule : advice::quality_by_rule(history.predictions)) {
    all.rules.push_back({.rule = rule.rule,
                         .quality = quality_of(rule.quality),
                         .rank_weight = weights.at(rule.rule)});
  }
  for (const advice::JudgedPrediction& prediction : history.predictions) {
    all.predictions.push_back(prediction_of(prediction));
  }
  return all;
}

void fill_diagnosis(const advice::Diagnosis* diagnosis, result::Result& result) {
  if (diagnosis == nullptr) {
    result.findings_reason = result.recommendations_reason = result::kNoRuleAsked;
    return;
  }
  for (const advice::Finding& finding : diagnosis->findings) {
    result.findings.push_back(finding_of(finding));
  }
  for (const advice::Recommendation& recommendation : diagnosis->recommendations) {
    result.recommendations.push_back(recommendation_of(recommendation));
  }
  if (diagnosis->recommendations.empty()) {
    result.recommendations_reason = "no rule fired that proposes a change with a gain";
  }
  result.rank_formula = advice::rank_formula();
  for (const auto& [name, fact] : diagnosis->facts.facts()) {  // besides the metrics
    if (fact.window != "profile") {
      result.facts.push_back(evidence_of(
          {.name = name, .value = fact.result, .source = fact.source, .window = fact.window}));
    }
  }
}

result::Result result_of(const advice::Diagnosis& diagnosis) {
  result::Result result;
  fill_diagnosis(&diagnosis, result);
  return result;
}

void fill_predictions(const CampaignResult& run, result::Result& result) {
  fill_proposals(run, result);
  for (const campaign::LadderRung& rung : run.ladder) {
    result.ladder.push_back(rung_of(run, rung));
  }
  result.prediction_reason = result::kNoRuleAsked;
  if (run.diagnosis) {
    result.prediction_quality = quality_of(predictions_until(run));
    result.prediction_quality->this_run =
        quality_of(advice::prediction_quality(own_predictions(run)));
  }
}

}  // namespace tune::report
