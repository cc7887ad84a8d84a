#include "report/prediction_text.h"

#include "report/diagnosis_text.h"
#include "report/number_text.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <optional>
#include <utility>

namespace tune::report {

namespace {

using advice::PredictionHistory;
using result::JudgedPrediction;
using Align = Table::Align;

constexpr const char* kTooFew = "-";
constexpr auto kFewest = static_cast<std::int64_t>(advice::kFewestPredictions);

// "+2.1 points": a difference of two gains; a rounded zero is positive.
std::string points_text(double difference, bool with_sign) {
  const double tenths = std::round(difference * 1000);
  const double points = tenths == 0 ? 0 : tenths / 10;
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), with_sign ? "%+.1f points" : "%.1f points", points);
  return text.data();
}

std::string maybe_points(const std::optional<double>& difference, bool with_sign) {
  return difference ? points_text(*difference, with_sign) : kTooFew;
}

std::string rho_text(const std::optional<double>& rho) {
  if (!rho) {
    return kTooFew;
  }
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%+.2f", *rho);
  return text.data();
}

// "3", from five predictions on "6 (75.0 %)".
std::string count_text(std::int64_t count, std::int64_t n) {
  std::string text = std::to_string(count);
  if (n >= kFewest) {
    text += " (" + share_text(static_cast<double>(count) / static_cast<double>(n)) + ")";
  }
  return text;
}

std::vector<std::string> quality_row(const std::string& name, const result::Quality& quality) {
  const bool are_enough = quality.n >= kFewest;
  return {name,
          std::to_string(quality.n),
          count_text(quality.confirmed, quality.n),
          std::to_string(quality.refuted),
          count_text(quality.in_range, quality.n),
          are_enough ? maybe_points(quality.bias, true) : kTooFew,
          are_enough ? maybe_points(quality.mean_error, false) : kTooFew,
          are_enough ? maybe_points(quality.median_error, false) : kTooFew,
          are_enough ? rho_text(quality.spearman_rho) : kTooFew};
}

}  // namespace

std::vector<advice::JudgedPrediction> own_predictions(const campaign::CampaignResult& result) {
  if (!result.diagnosis) {
    return {};
  }
  return judged_predictions(result.diagnosis->diagnosis, result.directory.filename().string());
}

PredictionHistory predictions_until(const campaign::CampaignResult& result) {
  PredictionHistory history;
  if (result.diagnosis) {
    history = result.earlier;
    std::vector<advice::JudgedPrediction> own = own_predictions(result);
    history.runs.push_back(result.directory.filename().string());
    history.predictions.insert(history.predictions.end(),
                               std::make_move_iterator(own.begin()),
                               std::make_move_iterator(own.end()));
  }
  return history;
}

std::vector<JudgedPrediction> own_predictions(const result::PredictionQuality& quality) {
  std::vector<JudgedPrediction> own;
  for (const JudgedPrediction& prediction : quality.predictions) {
    if (!quality.runs.empty() && prediction.run == quality.runs.back()) {
      own.push_back(prediction);
    }
  }
  return own;
}

Table quality_table(const result::PredictionQuality& quality) {
  Table table{.columns = {{"rule"},
                          {"predictions", Align::right},
                          {"confirmed", Align::right},
                          {"refuted", Align::right},
                          {"in range", Align::right},
                          {"bias", Align::right},
                          {"mean error", Align::right},
                          {"median error", Align::right},
                          {"Spearman's rho", Align::right}}};
  if (quality.predictions.empty()) {
    return table;
  }
  for (const result::RuleQuality& rule : quality.rules) {
    table.rows.push_back(quality_row(rule.rule, rule.quality));
  }
  table.rows.push_back(quality_row("all", quality.all));
  return table;
}

Table judged_table(const std::vector<JudgedPrediction>& predictions) {
  Table table{.columns = {{"rule"},
                          {"predicted", Align::right},
                          {"measured", Align::right},
                          {"interval", Align::right},
                          {"error", Align::right},
                          {"verdict"}}};
  table.rows.reserve(predictions.size());
  for (const JudgedPrediction& prediction : predictions) {
    const result::Number& gain = prediction.measured;
    table.rows.push_back(
        {prediction.rule,
         prediction.predicted.value ? range_text(prediction.predicted) : kTooFew,
         gain.value ? gain_text(*gain.value) : kTooFew,
         gain.lower ? gain_text(*gain.lower) + " to " + gain_text(*gain.upper) : kTooFew,
         points_text(prediction.error, true),
         prediction.verdict});
  }
  return table;
}

std::string quality_note() {
  std::string text =
      "Confirmed is the hit rate: the share of predictions whose change fresh pairs CONFIRMED. In "
      "range: the measured gain is within the predicted one. Error: middle of the predicted "
      "range less measured gain, in percentage points; bias is its mean, above 0 where too much "
      "was promised; mean and median error leave the sign out. Spearman's rho: whether larger "
      "promises gave larger gains. Below ";
  text += std::to_string(advice::kFewestPredictions);
  text +=
      " predictions there are only counts. What the search had seen before it was proposed is not "
      "a "
      "prediction and does not count.";
  return text;
}

std::string history_words(const result::PredictionQuality& history) {
  const auto count = static_cast<std::int64_t>(history.predictions.size());
  std::string text = counted(static_cast<std::int64_t>(history.runs.size()), "run");
  text += ", " + counted(count, "prediction");
  return text + " that fresh pairs have judged";
}

std::vector<std::string> skipped_lines(const result::PredictionQuality& history) {
  std::vector<std::string> lines;
  lines.reserve(history.skipped.size());
  for (const result::SkippedRun& skipped : history.skipped) {
    std::string line = "skipped " + skipped.run;
    line += ": " + skipped.reason;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tune::report
