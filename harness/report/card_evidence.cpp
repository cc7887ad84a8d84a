#include "report/card_evidence.h"

#include "expression/value.h"
#include "report/html_parts.h"
#include "report/html_table.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace tune::report {

namespace {

using advice::Evidence;
using advice::Finding;
using expression::Unknown;
using expression::Value;

constexpr std::size_t kLongestText = 400, kMostExamples = 3;

std::string value_text(const expression::Result& result) {
  const auto* const value = std::get_if<Value>(&result);
  return shortened(value != nullptr ? expression::to_readable_text(*value)
                                    : "not known: " + std::get<Unknown>(result).reason,
                   kLongestText);
}

std::string limit_text(const Evidence& evidence) {
  return evidence.limit.empty() ? "" : evidence.limit + " (" + evidence.limit_source + ")";
}

std::string examples_text(const Evidence& evidence) {
  std::string text;
  for (std::size_t i = 0; i < std::min(evidence.examples.size(), kMostExamples); ++i) {
    text += text.empty() ? "" : "; ";
    text += shortened(evidence.examples[i].name, 60);
  }
  return text;
}

HtmlTable evidence_table(const Finding& finding, const std::string& id) {
  HtmlTable table{.caption = id + ": what it stands on",
                  .columns = {{"metric"},
                              {"value", RankedTable::Align::right},
                              {"compared with", RankedTable::Align::right},
                              {"source"},
                              {"window"},
                              {"examples"}}};
  for (const Evidence& evidence : finding.evidence) {
    table.rows.push_back({one_line(evidence.name),
                          value_text(evidence.value),
                          shortened(limit_text(evidence), kLongestText),
                          one_line(evidence.source),
                          one_line(evidence.window),
                          examples_text(evidence)});
  }
  return table;
}

// "data_wait_ratio 0.31 > 5 % ✓: true"
std::string part_text(const expression::ExplainedPart& part) {
  const auto* const value = std::get_if<Value>(&part.result);
  std::string text = std::string(2 * std::min<std::size_t>(part.level, 10), '-');
  text += text.empty() ? "" : " ";
  text += part.text + ": ";
  return text + (value != nullptr ? expression::to_readable_text(*value)
                                  : "unknown, " + std::get<Unknown>(part.result).reason);
}

}  // namespace

Markup evidence_part(const advice::Diagnosis& diagnosis,
                     const advice::Recommendation& recommendation) {
  Markup html;
  const Finding* const finding = finding_of(diagnosis, recommendation.rule);
  if (finding == nullptr) {
    return html;
  }
  html.leaf("h5", "Evidence").line();
  if (!finding->evidence.empty()) {
    html.append(html_table(evidence_table(*finding, one_line(recommendation.id))));
  }
  std::vector<std::string> parts;
  parts.reserve(finding->parts.size());
  for (const expression::ExplainedPart& part : finding->parts) {
    parts.push_back(shortened(part_text(part), kLongestText));
  }
  return html.append(bullets(parts));
}

}  // namespace tune::report
