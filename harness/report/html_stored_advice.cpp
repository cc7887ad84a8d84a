// What the rules said, in a page that is made of result.json alone.

#include "report/format/stored_text.h"
#include "report/html_parts.h"
#include "report/html_stored_sections.h"
#include "report/html_table.h"
#include "report/number_text.h"
#include "report/run_record_tables.h"
#include "report/run_record_text.h"
#include "report/table_html.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kMostCards = 20, kMostLines = 200;

const char* tone_of(const std::string& verdict) {
  return verdict == "CONFIRMED" ? "chip better"
         : verdict == "REFUTED" ? "chip worse"
                                : "chip unsure";
}

std::string chip_of(const result::Recommendation& each) {
  if (each.measured.gain.value) {
    return both(each.verdict.empty() ? "MEASURED" : short_text(each.verdict),
                " ",
                gain_text(*each.measured.gain.value));
  }
  return each.predicted.gain.value ? "PREDICTED " + gain_text(*each.predicted.gain.value)
                                   : "NOT MEASURED";
}

void field(Markup& html, const char* name, const std::string& text) {
  if (!text.empty()) {
    html.leaf("dt", name).leaf("dd", short_text(text)).line();
  }
}

std::string joined_lines(const std::vector<std::string>& texts, const char* between) {
  std::string all;
  for (const std::string& text : texts) {
    all = both(all, between, text);
  }
  return all;
}

std::string predicted_text(const result::Recommendation& each) {
  const std::string model = each.predicted.model.empty() ? "" : "model " + each.predicted.model;
  const std::string against =
      each.against_prediction.empty() ? "" : "measured: " + each.against_prediction;
  return both(
      both(both(predicted_words(each.predicted.gain), "; ", each.predicted.formula), "; ", model),
      "; ",
      against);
}

Markup links_of(const std::vector<std::string>& links) {
  constexpr std::size_t kMostLinks = 8;
  Markup html;
  if (links.empty()) {
    return html;
  }
  html.open("p").text("Read:");
  for (std::size_t i = 0; i < std::min(links.size(), kMostLinks); ++i) {
    html.text(" ").append(outside_link(short_text(links[i])));
  }
  return html.close().line();
}

Markup more_of(const result::Result& record, const result::Recommendation& each) {
  Markup html;
  const result::Finding* const finding = finding_of(record, each.rule);
  if (finding != nullptr && !finding->evidence.empty()) {
    html.append(table_html(evidence_table(*finding), short_text(each.id) + ": what it stands on"));
  }
  html.open("dl", {{"class", "fields"}}).line();
  field(html, "Numerics", each.numerics);
  field(html, "Risk", joined_lines(each.risks, " "));
  field(html, "Verify", each.verify);
  field(html, "Explains", joined_lines(each.explains, ", "));
  field(html, "Not proposed", joined_lines(each.rejected, "; "));
  return html.close().line().append(links_of(each.links));
}

Markup card_of(const result::Result& record, const result::Recommendation& each) {
  Markup html;
  html.open("article", {{"class", "card"}});
  html.leaf("h3", short_text(both(each.id, ". ", each.title))).line();
  html.open("p").leaf("strong", chip_of(each), {{"class", tone_of(each.verdict)}}).text(" ");
  html.leaf(
      "span",
      short_text(
          both(both("rule " + each.rule, ", ", each.severity), " severity, ", each.confidence) +
          (each.confidence.empty() ? "" : " confidence")),
      {{"class", "quiet"}});
  html.close().line();
  const result::Finding* const finding = finding_of(record, each.rule);
  html.open("dl", {{"class", "fields"}}).line();
  field(html, "Measured", each.measured.gain.value ? gain_words(each.measured.gain) : "not tested");
  field(html, "Predicted", predicted_text(each));
  field(html, "Why", finding == nullptr ? "" : finding->expression);
  html.close().line();
  html.append(bullets(change_lines(each.change)));
  html.append(folded("Evidence, risk, how to verify", more_of(record, each)));
  return html.close().line();
}

// One line a rule that did not fire.
std::vector<std::string> lines_of(const result::Result& record, const char* state) {
  std::vector<std::string> lines;
  for (const result::Finding& finding : record.findings) {
    if (finding.state == state && lines.size() < kMostLines) {
      lines.push_back(
          short_text(both(finding.rule, ": ", both(finding.expression, " ", finding.reason))));
    }
  }
  return lines;
}

Markup rest_of(const char* title, const std::vector<std::string>& lines) {
  return lines.empty()
             ? Markup()
             : folded(std::string(title) + ": " + std::to_string(lines.size()), bullets(lines));
}

}  // namespace

Markup stored_advice_section(const result::Result& record) {
  const auto& all = record.recommendations;
  Markup html;
  if (all.empty() && record.findings.empty()) {
    return html;
  }
  html.section("What limits the baseline");
  const std::size_t shown = std::min(all.size(), kMostCards);
  for (std::size_t i = 0; i < shown; ++i) {
    html.append(card_of(record, all[i]));
  }
  html.append(rest_in_json(all.size() - shown, "recommendation"));
  if (all.empty()) {
    html.append(
        paragraph(record.recommendations_reason.empty()
                      ? "There is no recommendation."
                      : "No recommendation: " + short_text(record.recommendations_reason) + "."));
  } else if (!record.rank_formula.empty()) {
    html.append(paragraph("Ranked by " + short_text(record.rank_formula), "quiet"));
  }
  std::vector<std::string> lines = finding_lines(record);
  lines.resize(std::min(lines.size(), kMostLines));
  html.append(bullets(lines));
  html.append(rest_of("Rules that were not applicable", lines_of(record, "not-applicable")));
  html.append(rest_of("Rules that passed", lines_of(record, "quiet")));
  return html.close().line();
}

}  // namespace tune::report
