// The section of report.html about what limits the baseline.

#include "report/diagnosis_text.h"
#include "report/gain_parts_text.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/ladder_text.h"
#include "report/run_advice.h"
#include "report/table_html.h"

#include <algorithm>

namespace tune::report {

namespace {

using advice::Diagnosis;
using advice::Recommendation;

constexpr std::size_t kMostRecommendations = 10;

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    all += (all.empty() ? "" : " ") + text;
  }
  return all;
}

void add_line(std::vector<std::string>& lines, const char* name, const std::string& text) {
  if (!text.empty()) {
    lines.push_back(name + (": " + text));
  }
}

void append_parts(const Recommendation& recommendation, Markup& html) {
  if (!recommendation.measured || !recommendation.measured->attribution) {
    return;
  }
  const std::string caption =
      recommendation.id + ": time of a sample by phase in the fresh pairs, baseline first";
  html.append(table_html(gain_parts_table(*recommendation.measured), caption));
}

// The rungs from the baseline up.
Markup cumulative_path(const campaign::CampaignResult& result) {
  Markup html;
  if (const TextTable ladder = ladder_table(result); !ladder.rows.empty()) {
    html.leaf("h3", "Cumulative path").line();
    html.append(table_html(ladder, "Recommendations on top of one another, in fresh pairs"));
  }
  return html;
}

Markup card(const Diagnosis& diagnosis, const Recommendation& recommendation) {
  const rule::Rule& rule = *recommendation.rule;
  Markup html;
  html.open("article").leaf("h3", recommendation.id + ". " + rule.title).line();
  html.append(paragraph(gain_words(recommendation.predicted)));
  std::vector<std::string> lines = tested_lines(recommendation);
  const auto changes = change_lines(recommendation);
  lines.insert(lines.end(), changes.begin(), changes.end());
  add_line(lines, "because", because_words(diagnosis, recommendation));
  html.append(bullets(lines));
  append_parts(recommendation, html);
  std::vector<std::string> more;
  add_line(
      more, "rule", rule.id + ", " + advice::to_text(recommendation.confidence) + " confidence");
  add_line(more, "predicted by", recommendation.predicted.formula);
  add_line(more, "numerics", rule.preserves_numerics ? "preserving" : "changing");
  add_line(more, "risk", joined(recommendation.risks));
  add_line(more, "verify", rule.verify);
  add_line(more, "read", joined(rule.links));
  html.append(folded("Model, risk and how to verify", bullets(more)));
  html.close().line();
  return html;
}

}  // namespace

Markup advice_section(const campaign::CampaignResult& result) {
  Markup html;
  if (!result.diagnosis) {
    return html;
  }
  const Diagnosis& diagnosis = result.diagnosis->diagnosis;
  html.open("section").leaf("h2", "What limits the baseline").line();
  html.append(trust_banner(doubt_lines(diagnosis)));
  const auto& all = diagnosis.recommendations;
  for (std::size_t i = 0; i < std::min(all.size(), kMostRecommendations); ++i) {
    html.append(card(diagnosis, all[i]));
  }
  if (all.empty()) {
    html.append(paragraph("No rule fired that proposes a change with a gain."));
  }
  html.append(cumulative_path(result));
  if (const std::string ceilings = ceiling_words(result); !ceilings.empty()) {
    html.append(paragraph("Ceilings: " + ceilings + "."));
  }
  html.append(bullets(other_finding_lines(diagnosis)));
  html.append(paragraph(count_words(diagnosis) + "; of the baseline in " + result.diagnosis->trial +
                        ". Two gains do not add."));
  html.close().line();
  return html;
}

}  // namespace tune::report
