#include "advice/prediction_quality.h"

#include "base/stats/quantile.h"
#include "base/stats/rank_correlation.h"

#include <cmath>
#include <map>
#include <utility>

namespace tune::advice {

namespace {

using Verdict = MeasuredGain::Verdict;

std::map<std::string, std::vector<JudgedPrediction>> by_rule(
    const std::vector<JudgedPrediction>& predictions) {
  std::map<std::string, std::vector<JudgedPrediction>> rules;
  for (const JudgedPrediction& prediction : predictions) {
    rules[prediction.rule].push_back(prediction);
  }
  return rules;
}

}  // namespace

bool is_prediction(rule::Gain::Model model) {
  return model != rule::Gain::Model::measured && model != rule::Gain::Model::none;
}

std::vector<JudgedPrediction> judged_predictions(const Diagnosis& diagnosis,
                                                 const std::string& run) {
  std::vector<JudgedPrediction> judged;
  for (const Recommendation& recommendation : diagnosis.recommendations) {
    const PredictedGain& predicted = recommendation.predicted;
    if (recommendation.measured && predicted.lower && predicted.upper &&
        is_prediction(predicted.model)) {
      judged.push_back({.run = run,
                        .recommendation = recommendation.id,
                        .rule = recommendation.rule->id,
                        .model = to_text(predicted.model),
                        .lower = *predicted.lower,
                        .upper = *predicted.upper,
                        .measured = *recommendation.measured});
    }
  }
  return judged;
}

double PredictionQuality::hit_rate() const {
  return static_cast<double>(confirmed) / static_cast<double>(n);
}

double PredictionQuality::coverage() const {
  return static_cast<double>(in_range) / static_cast<double>(n);
}

PredictionQuality prediction_quality(const std::vector<JudgedPrediction>& predictions) {
  PredictionQuality quality;
  if (predictions.empty()) {
    return quality;
  }
  std::vector<double> promised, measured, errors;
  promised.reserve(predictions.size());
  measured.reserve(predictions.size());
  errors.reserve(predictions.size());
  double sum = 0, absolute_sum = 0;
  for (const JudgedPrediction& prediction : predictions) {
    const Verdict verdict = prediction.measured.verdict;
    ++quality.n;
    quality.confirmed += verdict == Verdict::confirmed ? 1 : 0;
    quality.refuted += verdict == Verdict::refuted ? 1 : 0;
    quality.ambiguous += verdict == Verdict::ambiguous ? 1 : 0;
    quality.in_range += prediction.is_in_range() ? 1 : 0;
    sum += prediction.error();
    absolute_sum += std::fabs(prediction.error());
    errors.push_back(std::fabs(prediction.error()));
    promised.push_back(prediction.middle());
    measured.push_back(prediction.measured.value);
  }
  quality.bias = sum / static_cast<double>(quality.n);
  quality.mean_error = absolute_sum / static_cast<double>(quality.n);
  quality.median_error = stats::median(std::move(errors));
  quality.rho = stats::spearman_rho(promised, measured);
  return quality;
}

std::vector<RuleQuality> quality_by_rule(const std::vector<JudgedPrediction>& predictions) {
  std::vector<RuleQuality> rules;
  for (const auto& [rule, own] : by_rule(predictions)) {
    rules.push_back({rule, prediction_quality(own)});
  }
  return rules;
}

HitRates hit_rates(const std::vector<JudgedPrediction>& predictions) {
  HitRates rates;
  for (const auto& [rule, own] : by_rule(predictions)) {
    const PredictionQuality quality = prediction_quality(own);
    rates[rule] = static_cast<double>(quality.confirmed + 1) / static_cast<double>(quality.n + 2);
  }
  return rates;
}

}  // namespace tune::advice
