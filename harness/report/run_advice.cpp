#include "report/run_advice.h"

#include "report/diagnosis_text.h"
#include "report/headline.h"
#include "report/ladder_text.h"
#include "report/markdown.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/text_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace tune::report {

namespace {

using advice::Diagnosis;
using advice::Recommendation;

constexpr std::size_t kMostRecommendations = 5;
constexpr std::size_t kMostFindings = 8;
constexpr std::size_t kLongestLine = 600, kLongestCell = 120;

std::string line_of(const std::string& text) {
  return escape_markdown(shortened(text, kLongestLine)) + "\n";
}

std::string predicted_cell(const advice::PredictedGain& gain) {
  if (!gain.is_known()) {
    return "not known";
  }
  const std::string range = range_text(*gain.lower, *gain.upper);
  return gain.model == rule::Gain::Model::measured ? "seen in the search: " + range : range;
}

std::vector<std::string> row_of(const Recommendation& recommendation) {
  const auto& measured = recommendation.measured;
  std::string gain = "not measured";
  if (measured) {
    gain = gain_text(measured->value) + " [" + gain_text(measured->lower) + ", ";
    gain += gain_text(measured->upper) + "]";
  }
  return {recommendation.id,
          shortened(recommendation.rule->title, kLongestCell),
          predicted_cell(recommendation.predicted),
          gain,
          measured ? advice::to_text(measured->verdict) : "-"};
}

std::string overview(const std::vector<Recommendation>& recommendations) {
  TextTable table{.heading = {"", "what to do", "predicted", "measured, fresh pairs", "verdict"},
                  .rows = {},
                  .last_is_text = true};
  for (std::size_t i = 0; i < std::min(recommendations.size(), kMostRecommendations); ++i) {
    table.rows.push_back(row_of(recommendations[i]));
  }
  return to_markdown(table) + "\n";
}

// Opens by a click; where that is not known it reads as a paragraph and a list.
std::string card(const Diagnosis& diagnosis, const Recommendation& recommendation) {
  const rule::Rule& rule = *recommendation.rule;
  std::string text = "<details>\n<summary>" +
                     escape_summary(recommendation.id + ". " + rule.title + " (" + rule.id + ")") +
                     "</summary>\n\n";
  text += "- " + line_of(gain_words(recommendation.predicted));
  for (const std::string& line : tested_lines(recommendation)) {
    text += "- " + line_of(line);
  }
  for (const std::string& line : change_lines(recommendation)) {
    text += "- " + line_of(line);
  }
  text += "- because " + line_of(because_words(diagnosis, recommendation));
  return text + "\n</details>\n\n";
}

// The larger where the search and the fresh pairs both say.
std::optional<double> rate_of_baseline(const campaign::CampaignResult& result) {
  std::optional<double> rate;
  const auto consider = [&](const campaign::Estimate& measured) {
    if (std::isfinite(measured.value) && measured.value > rate.value_or(0)) {
      rate = measured.value;
    }
  };
  const Conclusion conclusion = conclude(result);
  if (conclusion.baseline != nullptr && conclusion.baseline->throughput) {
    consider(*conclusion.baseline->throughput);
  }
  if (result.confirmation && result.confirmation->pairs > 0) {
    consider(result.confirmation->baseline);
  }
  return rate;
}

// A part alone cannot be slower than the whole: then one trial and several differ by noise only.
std::string rate_words(const campaign::Ceiling& ceiling, std::optional<double> baseline) {
  if (!ceiling.rate) {
    return "was not measured (" + ceiling.reason + ")";
  }
  return baseline && *ceiling.rate <= *baseline
             ? "is not above the baseline within noise"
             : "would do " + number_text(*ceiling.rate) + " samples/s";
}

}  // namespace

std::string run_advice_markdown(const campaign::CampaignResult& result) {
  if (!result.diagnosis) {
    return "";
  }
  const Diagnosis& diagnosis = result.diagnosis->diagnosis;
  const auto& all = diagnosis.recommendations;
  std::string text = all.empty() ? "" : overview(all);
  for (std::size_t i = 0; i < std::min(all.size(), kMostRecommendations); ++i) {
    text += card(diagnosis, all[i]);
  }
  text += all.empty() ? "- No rule fired that proposes a change with a gain.\n" : "";
  const auto others = other_finding_lines(diagnosis);
  for (std::size_t i = 0; i < std::min(others.size(), kMostFindings); ++i) {
    text += "- Also: " + line_of(others[i]);
  }
  if (const TextTable ladder = ladder_table(result); !ladder.rows.empty()) {
    text += "\n" + to_markdown(ladder);
  }
  const std::string ceilings = ceiling_words(result);
  text += ceilings.empty() ? "" : "\n" + line_of("Ceilings: " + ceilings + ".");
  return text + "\n" +
         line_of(count_words(diagnosis) + "; of the baseline in " + result.diagnosis->trial +
                 ". Two gains do not add.");
}

std::string ceiling_words(const campaign::CampaignResult& result) {
  const std::optional<double> baseline = rate_of_baseline(result);
  std::string text;
  for (const campaign::Ceiling& ceiling : result.ceilings) {
    text += text.empty() ? "" : ", ";
    text += ceiling.id == "compute_ceiling" ? "on batches that are always there the model "
            : ceiling.id == "cold_ceiling"  ? "on files that are not in memory the loader "
                                            : "without a model the loader ";
    // Cold files are slower than the whole as a rule, and by how much is what they are for.
    text += rate_words(ceiling, ceiling.id == "cold_ceiling" ? std::nullopt : baseline);
  }
  return text.empty() ? "" : text + " (one short trial each)";
}

}  // namespace tune::report
