// The section of report.html about what limits the baseline, and that of a trace.

#include "report/diagnosis_text.h"
#include "report/html_card.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/ladder_plot.h"
#include "report/ladder_text.h"
#include "report/number_text.h"
#include "report/run_advice.h"
#include "report/table_html.h"
#include "report/trace_sections.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tune::report {

namespace {

using advice::Diagnosis;
using advice::Finding;
using advice::MeasuredGain;
using advice::Recommendation;
using campaign::CampaignResult;

constexpr std::size_t kMostCards = 10, kMostLines = 200, kLongestLine = 600;

/// Recommendations that stand together, in the order of the page.
enum class Group { confirmed, open, failed };

Group group_of(const Recommendation& recommendation) {
  if (!recommendation.measured) {
    return Group::open;
  }
  return recommendation.measured->verdict == MeasuredGain::Verdict::confirmed ? Group::confirmed
                                                                              : Group::failed;
}

struct GroupHeading {
  Group group;
  const char* title;
};
constexpr std::array<GroupHeading, 3> kGroups = {{{Group::confirmed, "Confirmed by fresh pairs"},
                                                  {Group::open, "Predicted, not measured"},
                                                  {Group::failed, "Refuted or ambiguous"}}};

// The first cards by rank, under the headings of their groups; `card_of` takes the place in the
// list.
template <typename CardOf>
Markup cards(const Diagnosis& diagnosis, CardOf card_of) {
  const auto& all = diagnosis.recommendations;
  const std::size_t shown = std::min(all.size(), kMostCards);
  Markup html;
  for (const GroupHeading& heading : kGroups) {
    bool is_first = true;
    for (std::size_t i = 0; i < shown; ++i) {
      if (group_of(all[i]) != heading.group) {
        continue;
      }
      if (is_first) {
        html.leaf("h3", heading.title).line();
        is_first = false;
      }
      html.append(card_of(i));
    }
  }
  if (all.size() > shown) {
    html.append(paragraph("And " +
                          counted(static_cast<std::int64_t>(all.size() - shown), "recommendation") +
                          " of a lower rank, in result.json."));
  }
  return html.append(all.empty()
                         ? paragraph("No rule fired that proposes a change with a gain.")
                         : paragraph(std::string("Ranked by ") + advice::rank_formula(), "quiet"));
}

// The rungs from the baseline up.
Markup cumulative_path(const CampaignResult& result) {
  Markup html;
  const TextTable ladder = ladder_table(result);
  if (ladder.rows.empty()) {
    return html;
  }
  html.leaf("h3", "Cumulative path").line();
  if (const auto drawing = ladder_plot(result)) {
    html.append(figure({*drawing},
                       "Each bar goes from the gain of the row above it to its own; the whisker is "
                       "the interval of its fresh pairs."));
  }
  html.append(table_html(ladder, "Recommendations on top of one another, in fresh pairs"));
  return html.append(
      paragraph("Interaction: what they give together against the product of what "
                "each gave alone; below zero they stand in one another's way.",
                "quiet"));
}

std::vector<std::string> first_lines(std::vector<std::string> lines) {
  lines.resize(std::min(lines.size(), kMostLines));
  for (std::string& line : lines) {
    line = shortened(line, kLongestLine);
  }
  return lines;
}

// One line a reason, with the rules that it silences.
std::vector<std::string> silent_lines(const Diagnosis& diagnosis) {
  std::map<std::string, std::string> by_reason;
  for (const Finding& finding : diagnosis.findings) {
    if (finding.state == rule::State::not_applicable) {
      std::string& ids = by_reason[finding.reason];
      ids += ids.empty() ? "" : ", ";
      ids += finding.rule->id;
    }
  }
  std::vector<std::string> lines;
  lines.reserve(by_reason.size());
  for (const auto& [reason, ids] : by_reason) {
    lines.push_back(std::string(ids).append(": ").append(reason));
  }
  return first_lines(std::move(lines));
}

std::vector<std::string> passed_lines(const Diagnosis& diagnosis) {
  std::vector<std::string> lines;
  for (const Finding& finding : diagnosis.findings) {
    if (finding.state == rule::State::quiet) {
      std::string line = finding.rule->id + ": " + finding.text;
      line += finding.reason.empty() ? "" : " (" + finding.reason + ")";
      lines.push_back(std::move(line));
    }
  }
  return first_lines(std::move(lines));
}

Markup rest(const char* title, const std::vector<std::string>& lines) {
  return lines.empty()
             ? Markup()
             : folded(std::string(title) + ": " + std::to_string(lines.size()), bullets(lines));
}

Markup rests(const Diagnosis& diagnosis) {
  return rest("Reasons why rules were not applicable", silent_lines(diagnosis))
      .append(rest("Rules that passed", passed_lines(diagnosis)));
}

}  // namespace

Markup advice_section(const CampaignResult& result, const PageDetail& detail) {
  Markup html;
  if (!result.diagnosis) {
    return html;
  }
  const Diagnosis& diagnosis = result.diagnosis->diagnosis;
  html.section("What limits the baseline");
  html.append(cards(diagnosis, [&](std::size_t i) {
    return recommendation_card(result,
                               diagnosis.recommendations[i],
                               i < detail.strips ? CardStrip::drawn : CardStrip::left_out);
  }));
  html.append(cumulative_path(result));
  if (const std::string ceilings = ceiling_words(result); !ceilings.empty()) {
    html.append(paragraph("Ceilings: " + ceilings + "."));
  }
  html.append(bullets(first_lines(other_finding_lines(diagnosis))));
  html.append(paragraph(count_words(diagnosis) + "; of the baseline in " +
                        one_line(result.diagnosis->trial) + "."));
  return html.append(rests(diagnosis)).close().line();
}

Markup trace_advice_section(const TraceAnalysis& analysis) {
  Markup html;
  if (analysis.diagnosis == nullptr) {
    return html;
  }
  const Diagnosis& diagnosis = *analysis.diagnosis;
  html.section("Recommendations");
  html.append(cards(diagnosis, [&](std::size_t i) {
    return recommendation_card(diagnosis, diagnosis.recommendations[i]);
  }));
  html.append(bullets(first_lines(other_finding_lines(diagnosis))));
  html.append(paragraph(count_words(diagnosis) + "."));
  return html.append(rests(diagnosis)).close().line();
}

}  // namespace tune::report
