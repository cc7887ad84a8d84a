#include "report/diagnosis_text.h"

#include "expression/value.h"
#include "report/gain_parts_text.h"
#include "report/markdown.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/text_table.h"

#include <algorithm>
#include <map>

namespace tune::report {

namespace {

using advice::Diagnosis;
using advice::Evidence;
using advice::Finding;
using advice::Recommendation;
using expression::Unknown;
using expression::Value;
using rule::State;

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : between) + word;
  }
  return text;
}

std::string knob_words(const advice::ProposedKnob& knob) {
  const std::string from = knob.from.empty() ? "" : " (was " + knob.from + ")";
  if (knob.to) {
    return knob.name + ": " + trial::to_text(*knob.to) + from;
  }
  return knob.name + from + ": its value cannot be computed here (" + knob.reason + ")";
}

// The same in a line or two: where a knob does it, no code.
std::vector<std::string> short_change_lines(const Recommendation& recommendation) {
  std::vector<std::string> lines = change_lines(recommendation);
  lines.resize(std::min(lines.size(), std::max<std::size_t>(1, recommendation.knobs.size())));
  return lines;
}

bool is_recommended(const Diagnosis& diagnosis, const Finding& finding) {
  return std::any_of(diagnosis.recommendations.begin(),
                     diagnosis.recommendations.end(),
                     [&](const auto& other) { return other.rule == finding.rule; });
}

bool is_doubt(const Finding& finding) {
  return finding.has_fired() && finding.rule->group == rule::Group::validity;
}

std::string value_words(const Evidence& evidence) {
  const auto* const value = std::get_if<Value>(&evidence.value);
  return value != nullptr ? to_readable_text(*value)
                          : "not known: " + std::get<Unknown>(evidence.value).reason;
}

std::string example_words(const Evidence& evidence) {
  std::vector<std::string> rows;
  rows.reserve(evidence.examples.size());
  for (const rule::Example& example : evidence.examples) {
    const Value duration = Value::of(static_cast<double>(example.duration_ns) * 1e-9, {.time = 1});
    rows.push_back(shortened(example.name, 60) + " " + to_readable_text(duration));
  }
  return joined(rows, "; ");
}

std::string evidence_table(const Finding& finding) {
  TextTable table{.heading = {"evidence", "value", "limit", "from", "examples"},
                  .last_is_text = true};
  table.rows.reserve(finding.evidence.size());
  for (const Evidence& evidence : finding.evidence) {
    const std::string limit =
        evidence.limit.empty() ? "" : evidence.limit + " (" + evidence.limit_source + ")";
    table.rows.push_back(
        {evidence.name, value_words(evidence), limit, evidence.source, example_words(evidence)});
  }
  return to_markdown(table);
}

std::string bullet(const std::string& name, const std::string& text) {
  return text.empty() ? "" : "- " + name + ": " + escape_markdown(text) + "\n";
}

std::string card(const Diagnosis& diagnosis, const Recommendation& recommendation) {
  const rule::Rule& rule = *recommendation.rule;
  std::string text = "\n### " + recommendation.id + ". " + escape_markdown(rule.title) + "\n\n";
  text += escape_markdown(gain_words(recommendation.predicted)) + " · " +
          to_text(recommendation.severity) + " · confidence " + to_text(recommendation.confidence) +
          " · rule " + escape_markdown(rule.id) + "\n\n";
  for (const std::string& line : change_lines(recommendation)) {
    text += "- " + escape_markdown(line) + "\n";
  }
  const Finding* const finding = finding_of(diagnosis, &rule);
  if (finding != nullptr) {
    text += bullet("because", finding->text);
  }
  for (const std::string& line : tested_lines(recommendation)) {
    text += "- " + escape_markdown(line) + "\n";
  }
  text += bullet("gain", recommendation.predicted.formula);
  text += bullet("explains", joined(recommendation.explains, ", "));
  text += bullet("numerics", rule.preserves_numerics ? "preserving" : "changing");
  text += bullet("risk", joined(recommendation.risks, " "));
  text += bullet("not proposed", joined(recommendation.rejected, "; "));
  text += bullet("verify", rule.verify);
  text += bullet("read", joined(rule.links, " "));
  return finding != nullptr ? text + "\n" + evidence_table(*finding) : text;
}

// What cannot be said, one line a reason, with the rules that it silences.
std::string silent_rules(const Diagnosis& diagnosis) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const Finding& finding : diagnosis.findings) {
    if (finding.state == State::not_applicable) {
      by_reason[finding.reason].push_back(finding.rule->id);
    }
  }
  std::string text;
  for (const auto& [reason, ids] : by_reason) {
    text += "- " + escape_markdown(joined(ids, ", ") + ": " + reason) + "\n";
  }
  return text;
}

}  // namespace

std::string gain_words(const advice::PredictedGain& gain) {
  if (!gain.is_known()) {
    return "gain unknown: " + gain.reason;
  }
  const std::string range = range_text(*gain.lower, *gain.upper);
  return gain.model == rule::Gain::Model::measured ? "seen in the search: " + range
                                                   : "predicted " + range;
}

std::string range_text(double lower, double upper) {
  std::string text = gain_text(lower);
  const std::string end = gain_text(upper);
  if (text == end) {
    return text;
  }
  if (text.ends_with(" %")) {
    text.resize(text.size() - 2);
  }
  text += " to " + end;
  return text;
}

std::string measured_words(const Recommendation& recommendation) {
  if (!recommendation.measured) {
    return "";
  }
  const advice::MeasuredGain& gain = *recommendation.measured;
  return "measured " + gain_text(gain.value) + " [" + gain_text(gain.lower) + ", " +
         gain_text(gain.upper) + "] in " + counted(gain.pairs, "fresh pair") + ": " +
         advice::to_text(gain.verdict);
}

std::vector<std::string> tested_lines(const Recommendation& recommendation) {
  std::vector<std::string> lines;
  if (!recommendation.measured) {
    if (!recommendation.unmeasured.empty()) {
      lines.push_back("not tested: " + recommendation.unmeasured);
    }
    return lines;
  }
  for (const std::string& constraint : recommendation.broken_constraints) {
    lines.push_back("not recommended: breaks a constraint: " + constraint);
  }
  const std::string against = prediction_words(recommendation);
  const std::string parts = gain_parts_words(*recommendation.measured);
  lines.reserve(3);
  lines.push_back(measured_words(recommendation) + (against.empty() ? "" : ", " + against));
  lines.push_back(before_after_words(*recommendation.measured));
  if (!parts.empty()) {
    lines.push_back(parts);
  }
  return lines;
}

std::string environment_words(const Recommendation& recommendation) {
  return joined(recommendation.environment, ", or ");
}

std::vector<std::string> change_lines(const Recommendation& recommendation) {
  const rule::Change& change = recommendation.rule->change;
  std::vector<std::string> lines;
  lines.reserve(recommendation.knobs.size() + 4);
  for (const advice::ProposedKnob& knob : recommendation.knobs) {
    lines.push_back("set " + knob_words(knob));
  }
  if (!recommendation.python.empty() && recommendation.rule->helps_python) {
    lines.push_back("Python: " + recommendation.python);
  }
  if (!recommendation.cpp.empty()) {
    lines.push_back("C++: " + recommendation.cpp);
  }
  if (const std::string variables = environment_words(recommendation); !variables.empty()) {
    lines.push_back("environment: " + variables);
  }
  if (!change.text.empty()) {
    lines.push_back(change.text);
  }
  return lines;
}

std::string because_words(const Diagnosis& diagnosis, const Recommendation& recommendation) {
  const Finding* const finding = finding_of(diagnosis, recommendation.rule);
  return finding == nullptr ? "" : finding->text;
}

std::string count_words(const Diagnosis& diagnosis) {
  const auto runs = std::count_if(diagnosis.findings.begin(),
                                  diagnosis.findings.end(),
                                  [](const Finding& finding) { return finding.needs_a_run; });
  std::string text = counted(static_cast<std::int64_t>(diagnosis.findings.size()), "rule") + ": ";
  text += std::to_string(diagnosis.count(State::fired)) + " fired, ";
  text += std::to_string(diagnosis.count(State::quiet)) + " quiet, ";
  text += std::to_string(diagnosis.count(State::not_applicable)) + " not applicable";
  return runs > 0 ? text + ", " + std::to_string(runs) + " of them need a run (tune run)" : text;
}

std::vector<std::string> doubt_lines(const Diagnosis& diagnosis) {
  std::vector<std::string> lines;
  for (const Finding& finding : diagnosis.findings) {
    if (is_doubt(finding)) {
      lines.push_back(finding.rule->id + ": " + finding.text + "; " + finding.rule->title);
    }
  }
  return lines;
}

std::vector<std::string> recommendation_lines(const Diagnosis& diagnosis, std::size_t most) {
  std::vector<std::string> lines;
  for (const Recommendation& recommendation : diagnosis.recommendations) {
    if (most-- == 0) {
      break;
    }
    const rule::Rule& rule = *recommendation.rule;
    lines.push_back(recommendation.id + "  " + rule.title + " [" + rule.id +
                    "]: " + gain_words(recommendation.predicted));
    for (const std::string& line : tested_lines(recommendation)) {
      lines.push_back("    " + line);
    }
    for (const std::string& line : short_change_lines(recommendation)) {
      lines.push_back("    " + line);
    }
    if (const Finding* const finding = finding_of(diagnosis, &rule)) {
      lines.push_back("    because " + finding->text);
    }
  }
  return lines;
}

std::vector<std::string> other_finding_lines(const Diagnosis& diagnosis) {
  std::vector<std::string> lines;
  for (const Finding& finding : diagnosis.findings) {
    if (!finding.has_fired() || is_doubt(finding) || is_recommended(diagnosis, finding)) {
      continue;
    }
    std::string line = finding.rule->id + ": " + finding.text;
    line += finding.explained_by.empty() ? "; " + finding.rule->title
                                         : "; explained by " + joined(finding.explained_by, ", ");
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string diagnosis_markdown(const Diagnosis& diagnosis) {
  std::string text = "\n## Recommendations\n\n";
  for (const std::string& line : doubt_lines(diagnosis)) {
    text += "> **" + escape_markdown(line) + "**\n\n";
  }
  text += diagnosis.recommendations.empty()
              ? "No rule fired that proposes a change with a gain.\n"
              : std::string(
                    "A gain is predicted unless it says that it was measured, and two gains "
                    "do not add. Ranked by ") +
                    advice::rank_formula() + "\n";
  for (const Recommendation& recommendation : diagnosis.recommendations) {
    text += card(diagnosis, recommendation);
  }
  text += "\n## Findings\n\n" + escape_markdown(count_words(diagnosis)) + ".\n\n";
  for (const std::string& line : other_finding_lines(diagnosis)) {
    text += "- " + escape_markdown(line) + "\n";
  }
  const std::string silent = silent_rules(diagnosis);
  return silent.empty() ? text : text + "\nNot applicable:\n\n" + silent;
}

}  // namespace tune::report
