// What limits the baseline: recommendations, then what else the rules found.

#include "report/run_advice.h"

#include "base/text.h"
#include "report/diagnosis_text.h"
#include "report/ladder_text.h"
#include "report/number_text.h"
#include "report/result_of.h"
#include "report/run_card.h"
#include "report/run_charts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using result::Finding;
using result::Recommendation;

constexpr std::size_t kMostCards = 10, kMostOpenCards = 3, kMostLines = 200, kLongestLine = 600;
constexpr std::size_t kMostRecommendations = 5, kMostFindings = 8, kLongestCell = 120;

/// Recommendations that stand together, in the order of the page.
enum class Group { confirmed, open, failed };

Group group_of(const Recommendation& recommendation) {
  return !recommendation.measured.gain.value     ? Group::open
         : recommendation.verdict == "CONFIRMED" ? Group::confirmed
                                                 : Group::failed;
}

struct GroupHeading {
  Group group;
  const char* title;
};
constexpr std::array<GroupHeading, 3> kGroups = {{{Group::confirmed, "Confirmed by fresh pairs"},
                                                  {Group::open, "Predicted, not measured"},
                                                  {Group::failed, "Refuted or ambiguous"}}};

bool is_asked_now(const Run& run) {
  return run.directory != nullptr && run.directory->diagnosis;
}

List short_lines(std::vector<std::string> lines, std::size_t most) {
  lines.resize(std::min(lines.size(), most));
  for (std::string& line : lines) {
    line = shortened(line, kLongestLine);
  }
  return {std::move(lines)};
}

bool has_passed(const Finding& finding) {
  return finding.state == "quiet";
}

// What was asked: a rule that did not fire saw no sign of it.
std::vector<std::string> passed_lines(const result::Result& result) {
  std::vector<std::string> lines;
  for (const Finding& finding : result.findings) {
    if (has_passed(finding)) {
      lines.push_back(finding.question.empty()
                          ? finding.rule
                          : finding.question + " No sign of it (" + finding.rule + ").");
    }
  }
  return lines;
}

std::vector<std::string> passed_conditions(const result::Result& result) {
  std::vector<std::string> lines;
  for (const Finding& finding : result.findings) {
    if (has_passed(finding)) {
      lines.push_back(finding.rule + ": " + finding.expression +
                      (finding.reason.empty() ? "" : " (" + finding.reason + ")"));
    }
  }
  return lines;
}

void add_folded(const std::string& title,
                const std::vector<std::string>& lines,
                Section& section,
                Blocks more = {}) {
  List list = short_lines(lines, kMostLines);
  if (!list.items.empty()) {
    more.insert(more.begin(), Block{std::move(list)});
    section.add(Folded{title, std::move(more)}, kInHtml);
  }
}

std::string predicted_cell(const result::PredictedGain& gain) {
  if (!gain.gain.value) {
    return "not known";
  }
  return (gain.model == "measured" ? "seen in the search: " : "") + range_text(gain.gain);
}

std::string measured_cell(const result::Number& gain) {
  if (!gain.value) {
    return "not measured";
  }
  const std::string text = gain_text(*gain.value);
  return gain.lower ? text + " [" + gain_text(*gain.lower) + ", " + gain_text(*gain.upper) + "]"
                    : text;
}

Table overview(const std::vector<Recommendation>& recommendations) {
  using Align = Table::Align;
  Table table{.columns = {{""},
                          {"what to do", Align::right},
                          {"predicted", Align::right},
                          {"measured, fresh pairs", Align::right},
                          {"verdict"}}};
  for (std::size_t i = 0; i < std::min(recommendations.size(), kMostRecommendations); ++i) {
    const Recommendation& each = recommendations[i];
    table.rows.push_back({each.id,
                          shortened(each.title, kLongestCell),
                          predicted_cell(each.predicted),
                          measured_cell(each.measured.gain),
                          each.verdict.empty() ? "-" : each.verdict});
  }
  return table;
}

// The first by rank, as a comment has room for them.
void add_short(const Run& run, Section& section) {
  const auto& all = run.result.recommendations;
  if (all.empty()) {
    section.add(List{{"No rule fired that proposes a change with a gain."}}, kInMarkdown);
  } else {
    section.add(overview(all), kInMarkdown);
  }
  for (std::size_t i = 0; i < std::min(all.size(), kMostRecommendations); ++i) {
    section.add(recommendation_card(run, all[i]), kInMarkdown);
  }
  List others = short_lines(other_finding_lines(run.result), kMostFindings);
  for (std::string& line : others.items) {
    line.insert(0, "Also: ");
  }
  section.add(std::move(others), kInMarkdown);
}

// The rungs from the baseline up.
void add_ladder(const result::Result& result, Section& section) {
  Table ladder = ladder_table(result);
  if (ladder.rows.empty()) {
    return;
  }
  const auto& rungs = result.ladder;
  if (std::none_of(
          rungs.begin(), rungs.end(), [](const auto& rung) { return rung.gain.is_there; })) {
    section.add(Sentence{"What the recommendations give together was not measured: " +
                         shortened(rungs.front().reason, kLongestLine) + "."},
                kInMarkdown | kInHtml);
    return;
  }
  section.add(Heading{"Cumulative path"}, kInHtml);
  if (const auto drawing = ladder_plot(result)) {
    section.add(Figure{{*drawing},
                       "Each bar goes from the gain of the row above it to its own; the whisker is "
                       "the interval of its fresh pairs."},
                kInHtml);
  }
  section.add(std::move(ladder), kInMarkdown | kInHtml)
      .add(Sentence{.text = "Interaction: what they give together against the product of what each "
                            "gave alone; below zero they hinder each other.",
                    .is_quiet = true},
           kInHtml);
}

// The larger where the search and the fresh pairs both say.
std::optional<double> rate_of_baseline(const result::Result& result) {
  std::optional<double> rate;
  for (const result::Metric& metric : result.metrics) {
    if (metric.id == "throughput" && metric.cell == "baseline" &&
        metric.number.value.value_or(0) > rate.value_or(0)) {
      rate = metric.number.value;
    }
  }
  return rate;
}

// A part alone cannot be slower than the whole: then one trial and several differ by noise only.
std::string rate_words(const result::Number& ceiling, std::optional<double> baseline) {
  if (!ceiling.value) {
    return "was not measured (" + ceiling.reason + ")";
  }
  return baseline && *ceiling.value <= *baseline
             ? "is not above the baseline within noise"
             : "would do " + number_text(*ceiling.value) + " samples/s";
}

// "Why 81 rules were not applicable: 51 reasons": each line has all rules of one reason.
std::string silent_title(const result::Result& result, std::size_t reasons) {
  const auto& findings = result.findings;
  const auto rules = std::count_if(findings.begin(), findings.end(), [](const auto& finding) {
    return finding.state == "not-applicable";
  });
  return "Why " + counted(rules, "rule") + (rules == 1 ? " was" : " were") +
         " not applicable: " + counted(static_cast<std::int64_t>(reasons), "reason");
}

}  // namespace

bool were_rules_asked(const Run& run) {
  return is_asked_now(run) || !run.result.findings.empty() || !run.result.recommendations.empty();
}

std::string ceiling_words(const result::Result& result) {
  const std::optional<double> baseline = rate_of_baseline(result);
  std::string text;
  for (const result::Metric& ceiling : result.metrics) {
    if (ceiling.window != "ceiling") {
      continue;
    }
    const bool is_cold = ceiling.id == "cold_ceiling";
    text += text.empty() ? "" : ", ";
    text += ceiling.id == "compute_ceiling" ? "on batches that are always there the model "
            : is_cold                       ? "on files that are not in memory the loader "
                                            : "without a model the loader ";
    // Cold files are slower than the whole as a rule, and by how much is what they are for.
    text += rate_words(ceiling.number, is_cold ? std::nullopt : baseline);
  }
  return text.empty() ? "" : text + " (one short trial each)";
}

std::string ceiling_words(const campaign::CampaignResult& run) {
  result::Result result;
  fill_metrics(run, result);
  return ceiling_words(result);
}

void add_recommendation_cards(const Run& run, std::size_t strips, Section& section) {
  const auto& all = run.result.recommendations;
  const std::size_t shown = std::min(all.size(), kMostCards);
  for (const GroupHeading& heading : kGroups) {
    bool is_first = true;
    for (std::size_t i = 0; i < shown; ++i) {
      if (group_of(all[i]) != heading.group) {
        continue;
      }
      if (is_first) {
        section.add(Heading{heading.title}, kInHtml);
        is_first = false;
      }
      const CardStrip strip = i < strips ? CardStrip::drawn : CardStrip::left_out;
      Article card = recommendation_card(run, all[i], strip);
      if (i < kMostOpenCards || heading.group == Group::confirmed) {
        section.add(std::move(card), kInHtml);
      } else {
        section.add(Folded{card.title + ": " + card.verdict, std::move(card.blocks)}, kInHtml);
      }
    }
  }
  if (all.size() > shown) {
    const auto more = static_cast<std::int64_t>(all.size() - shown);
    section.add(
        Sentence{"And " + counted(more, "recommendation") + " of a lower rank, in result.json."},
        kInHtml);
  }
  if (all.empty()) {
    section.add(Sentence{"No rule fired that proposes a change with a gain."}, kInHtml);
  } else if (!run.result.rank_formula.empty()) {
    section.add(Sentence{.text = "Ranked by " + run.result.rank_formula, .is_quiet = true},
                kInHtml);
  }
}

void add_findings(const result::Result& result, const std::string& trial, Section& section) {
  const std::string count =
      count_words(result) + (trial.empty() ? "" : "; of the baseline in " + one_line(trial));
  section.add(short_lines(other_finding_lines(result), kMostLines), kInHtml)
      .add(Sentence{count + "."}, kInHtml)
      .add(Sentence{count + ". Two gains do not add."}, kInMarkdown);
  const std::vector<std::string> silent = silent_lines(result), passed = passed_lines(result);
  add_folded(silent_title(result, silent.size()), silent, section);
  add_folded("Rules that passed: " + std::to_string(passed.size()),
             passed,
             section,
             {{Folded{"Their conditions with the numbers",
                      {{short_lines(passed_conditions(result), kMostLines)}}}}});
}

Section run_advice_section(const Run& run, const PageDetail& detail) {
  const result::Result& result = run.result;
  Section section{.title = "What limits the baseline"};
  if (!were_rules_asked(run)) {
    return section;
  }
  add_short(run, section);
  if (detail.has_drawings) {
    add_recommendation_cards(run, detail.strips, section);
  }
  add_ladder(result, section);
  if (const std::string ceilings = ceiling_words(result); !ceilings.empty()) {
    section.add(Sentence{"Ceilings: " + ceilings + "."}, kInMarkdown | kInHtml);
  }
  add_findings(result, is_asked_now(run) ? run.directory->diagnosis->trial : "", section);
  return section;
}

}  // namespace tune::report
