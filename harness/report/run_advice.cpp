#include "report/run_advice.h"

#include "report/diagnosis_text.h"
#include "report/headline.h"
#include "report/ladder_text.h"
#include "report/markdown.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tune::report {

namespace {

using advice::Diagnosis;
using advice::Recommendation;

constexpr std::size_t kMostRecommendations = 5;
constexpr std::size_t kMostFindings = 8;
constexpr std::size_t kLongestLine = 600;

std::string line_of(const std::string& text) {
  return escape_markdown(shortened(text, kLongestLine)) + "\n";
}

std::string card(const Diagnosis& diagnosis, const Recommendation& recommendation) {
  std::string text = "- **" + recommendation.id + ". " +
                     escape_markdown(recommendation.rule->title) + "** (" +
                     escape_markdown(recommendation.rule->id) +
                     "): " + line_of(gain_words(recommendation.predicted));
  for (const std::string& line : tested_lines(recommendation)) {
    text += "  - " + line_of(line);
  }
  for (const std::string& line : change_lines(recommendation)) {
    text += "  - " + line_of(line);
  }
  return text + "  - because " + line_of(because_words(diagnosis, recommendation));
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
  std::string text;
  const auto& all = diagnosis.recommendations;
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
                                            : "without a model the loader ";
    text += rate_words(ceiling, baseline);
  }
  return text.empty() ? "" : text + " (one short trial each)";
}

}  // namespace tune::report
