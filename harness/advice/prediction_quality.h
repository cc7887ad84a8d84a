#pragma once

#include "advice/diagnosis.h"
#include "advice/recommendation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::advice {

/// The gain that a rule promised, and what fresh pairs of runs then gave. 0.1 is 10 % more samples
/// per second.
struct JudgedPrediction {
  std::string run;             ///< its directory
  std::string recommendation;  ///< "R1"
  std::string rule, model;     ///< "input-bound", "amdahl"
  double lower = 0, upper = 0;
  MeasuredGain measured;

  double middle() const { return (lower + upper) / 2; }
  double error() const { return middle() - measured.value; }  ///< above 0: too much was promised
  bool is_in_range() const { return lower <= measured.value && measured.value <= upper; }
};

/// Whether a gain of this model was stated before it was measured. `measured` is what the search
/// saw of the very change: it predicts nothing, and does not count.
bool is_prediction(rule::Gain::Model model);

/// The recommendations of a run that were both predicted and measured, by rank.
std::vector<JudgedPrediction> judged_predictions(const Diagnosis& diagnosis,
                                                 const std::string& run);

/// How well predictions came true.
struct PredictionQuality {
  std::int64_t n = 0;
  std::int64_t confirmed = 0, refuted = 0, ambiguous = 0;  ///< sum to n
  std::int64_t in_range = 0;                               ///< the measured gain lay in the range
  std::optional<double> bias;          ///< mean of the errors; nothing without predictions
  std::optional<double> mean_error;    ///< of their absolute values
  std::optional<double> median_error;  ///< likewise: one that is far off does not move it
  std::optional<double> rho;           ///< Spearman's, of middles and measured gains

  double hit_rate() const;  ///< CONFIRMED of all, 0-1; needs n > 0
  double coverage() const;  ///< within their range of all, 0-1; needs n > 0
};

/// Rates and errors of fewer are shown as counts alone: one more prediction would turn them over.
constexpr std::int64_t kFewestPredictions = 5;

/// Refuted ones count as any other: leaving them out would make an advertisement of it.
PredictionQuality prediction_quality(const std::vector<JudgedPrediction>& predictions);

struct RuleQuality {
  std::string rule;
  PredictionQuality quality;
};

/// The same of each rule, by id.
std::vector<RuleQuality> quality_by_rule(const std::vector<JudgedPrediction>& predictions);

/// What rank() wants: (confirmed + 1) / (n + 2), Laplace's rule of succession, which is 0.5 of a
/// rule without history and never 0 or 1 after a handful of runs.
HitRates hit_rates(const std::vector<JudgedPrediction>& predictions);

}  // namespace tune::advice
