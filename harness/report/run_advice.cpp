#include "report/run_advice.h"

#include "report/diagnosis_text.h"
#include "report/ladder_text.h"
#include "report/markdown.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <algorithm>

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

std::string rate_words(const campaign::Ceiling& ceiling) {
  return ceiling.rate ? number_text(*ceiling.rate) + " samples/s"
                      : "(not measured: " + ceiling.reason + ")";
}

}  // namespace

std::string run_advice_markdown(const campaign::CampaignResult& result) {
  if (!result.diagnosis) {
    return "";
  }
  const Diagnosis& diagnosis = result.diagnosis->diagnosis;
  std::string text;
  for (const std::string& line : doubt_lines(diagnosis)) {
    text += "- Doubt: " + line_of(line);
  }
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
  std::string text;
  for (const campaign::Ceiling& ceiling : result.ceilings) {
    text += text.empty() ? "" : ", ";
    text += ceiling.id == "compute_ceiling" ? "on batches that are always there the model would do "
                                            : "without a model the loader would do ";
    text += rate_words(ceiling);
  }
  return text;
}

}  // namespace tune::report
