// The section of report.html about what limits the baseline.

#include "report/diagnosis_text.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"

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

Markup card(const Diagnosis& diagnosis, const Recommendation& recommendation) {
  const rule::Rule& rule = *recommendation.rule;
  Markup html;
  html.open("article").leaf("h3", recommendation.id + ". " + rule.title).line();
  const std::string measured = measured_words(recommendation);
  const std::string gain = gain_words(recommendation.predicted);
  html.append(paragraph(measured.empty() ? gain : measured + "; " + gain));
  std::vector<std::string> lines = change_lines(recommendation);
  add_line(lines, "because", because_words(diagnosis, recommendation));
  add_line(lines, "not measured by itself", recommendation.unmeasured);
  html.append(bullets(lines));
  std::vector<std::string> more;
  add_line(more, "rule", rule.id + ", " + advice::to_text(recommendation.confidence) + " confidence");
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
  html.append(bullets(other_finding_lines(diagnosis)));
  html.append(paragraph(count_words(diagnosis) + "; of the baseline in " + result.diagnosis->trial +
                        ". Two gains do not add."));
  html.close().line();
  return html;
}

}  // namespace tune::report
