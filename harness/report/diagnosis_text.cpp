#include "report/diagnosis_text.h"

#include "advice/rule/known_name.h"
#include "base/expression/value.h"
#include "base/text.h"
#include "report/gain_parts_text.h"
#include "report/markdown.h"
#include "report/number_text.h"
#include "report/render_blocks.h"
#include "report/run_words.h"
#include "report/script_words.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
#include <variant>

namespace tune::report {

namespace {

using expression::Value;
using result::Evidence;
using result::Finding;
using result::Recommendation;

bool is_recommended(const result::Result& result, const Finding& finding) {
  return std::any_of(result.recommendations.begin(),
                     result.recommendations.end(),
                     [&](const auto& other) { return other.rule == finding.rule; });
}

std::string knob_words(const result::KnobChange& knob) {
  const std::string from = knob.from.empty() ? "" : " (was " + knob.from + ")";
  if (knob.to) {
    return knob.name + ": " + trial::to_text(*knob.to) + from;
  }
  return knob.name + from + ": try several values, for the best cannot be computed here (" +
         knob.reason + ")";
}

// The same in a line or two: where a knob does it, no code. Whoever has a trace alone changes code.
std::vector<std::string> short_change_lines(const result::Result& result,
                                            const Recommendation& recommendation) {
  std::vector<std::string> lines = change_lines(recommendation);
  const std::size_t knobs = recommendation.change.knobs.size();
  if (result.kind != "run" && !recommendation.change.python.empty() && lines.size() > knobs) {
    return {lines[knobs]};
  }
  lines.resize(std::min(lines.size(), std::max<std::size_t>(1, knobs)));
  return lines;
}

// As rules know values.
Value value_of(const result::Value& stored, const std::string& unit) {
  return std::visit(
      [&unit](const auto& plain) -> Value {
        using Plain = std::decay_t<decltype(plain)>;
        if constexpr (std::is_same_v<Plain, std::monostate>) {
          return {std::string()};
        } else if constexpr (std::is_same_v<Plain, result::Value::List>) {
          Value::List list;
          for (const result::Value& element : plain) {
            list.push_back(value_of(element, unit));
          }
          return {std::move(list)};
        } else if constexpr (std::is_same_v<Plain, double> || std::is_same_v<Plain, std::int64_t>) {
          return Value::of(static_cast<double>(plain), rule::dimension_of_unit(unit));
        } else {
          return {plain};
        }
      },
      stored.data);
}

std::string example_words(const Evidence& evidence) {
  std::vector<std::string> rows;
  rows.reserve(evidence.examples.size());
  for (const result::Example& example : evidence.examples) {
    const Value duration = Value::of(static_cast<double>(example.duration_ns) * 1e-9, {.time = 1});
    rows.push_back(shortened(example.name, 60) + " " + to_readable_text(duration));
  }
  return joined(rows, "; ");
}

Table evidence_table(const Finding& finding) {
  using Align = Table::Align;
  Table table{.columns = {{"evidence"},
                          {"value", Align::right},
                          {"limit", Align::right},
                          {"from", Align::right},
                          {"examples"}}};
  for (const Evidence& evidence : finding.evidence) {
    table.rows.push_back({evidence.metric,
                          value_words(evidence),
                          limit_words(evidence),
                          evidence.source,
                          example_words(evidence)});
  }
  return table;
}

std::string bullet(const std::string& name, const std::string& text) {
  return text.empty() ? "" : "- " + name + ": " + escape_markdown(text) + "\n";
}

std::string card(const result::Result& result, const Recommendation& recommendation) {
  std::string text =
      "\n### " + recommendation.id + ". " + escape_markdown(recommendation.title) + "\n\n";
  text += escape_markdown(gain_words(recommendation.predicted)) + " · " + recommendation.severity +
          " · confidence " + recommendation.confidence + " · rule " +
          escape_markdown(recommendation.rule) + "\n\n";
  for (const std::string& line : change_lines(recommendation)) {
    text += "- " + escape_markdown(line) + "\n";
  }
  text += bullet("because", because_words(result, recommendation));
  for (const std::string& line : tested_lines(recommendation)) {
    text += "- " + escape_markdown(line) + "\n";
  }
  text += bullet("gain", recommendation.predicted.formula);
  text += bullet("explains", joined(recommendation.explains));
  text += bullet("numerics", recommendation.numerics);
  text += bullet("risk", joined(recommendation.risks, " "));
  text += bullet("not proposed", joined(recommendation.rejected, "; "));
  text += bullet("verify", recommendation.verify);
  text += bullet("read", joined(recommendation.links, " "));
  const Finding* const finding = finding_of(result, recommendation.rule);
  return finding != nullptr ? text + "\n" + to_markdown(evidence_table(*finding)) : text;
}

std::int64_t count_of(const result::Result& result, const char* state) {
  return std::count_if(result.findings.begin(), result.findings.end(), [&](const Finding& finding) {
    return finding.state == state;
  });
}

}  // namespace

std::string gain_words(const result::PredictedGain& gain) {
  if (!gain.gain.value) {
    return "gain unknown: " + gain.gain.reason;
  }
  return (gain.model == "measured" ? "seen in the search: " : "predicted ") + range_text(gain.gain);
}

std::string measured_words(const Recommendation& recommendation) {
  const result::Number& gain = recommendation.measured.gain;
  std::string text = "measured " + gain_text(*gain.value);
  if (gain.lower) {
    text += " [" + gain_text(*gain.lower) + ", " + gain_text(*gain.upper) + "]";
  }
  text += " in " + counted(gain.n, "fresh pair");
  return recommendation.verdict.empty() ? text : text + ": " + recommendation.verdict;
}

std::vector<std::string> tested_lines(const Recommendation& recommendation) {
  std::vector<std::string> lines;
  const result::MeasuredGain& measured = recommendation.measured;
  if (!measured.gain.value) {
    if (!measured.gain.reason.empty() && measured.gain.reason != kOfATraceAlone) {
      lines.push_back("not tested: " + measured.gain.reason);
    }
    return lines;
  }
  for (const std::string& constraint : recommendation.broken_constraints) {
    lines.push_back("not recommended: breaks a constraint: " + constraint);
  }
  const std::string& against = recommendation.against_prediction;
  const std::string parts = gain_parts_words(measured);
  lines.push_back(measured_words(recommendation) + (against.empty() ? "" : ", " + against));
  lines.push_back(before_after_words(measured));
  if (!parts.empty()) {
    lines.push_back(parts);
  }
  return lines;
}

std::vector<std::string> change_lines(const Recommendation& recommendation) {
  const result::Change& change = recommendation.change;
  std::vector<std::string> lines;
  for (const result::KnobChange& knob : change.knobs) {
    lines.push_back("set " + knob_words(knob));
  }
  if (!change.python.empty() && recommendation.transfers != "cpp") {
    lines.push_back("Python: " + change.python);
  }
  if (!change.cpp.empty()) {
    lines.push_back("C++: " + change.cpp);
  }
  if (const std::string variables = joined(change.environment, ", or "); !variables.empty()) {
    lines.push_back("environment: " + variables);
  }
  if (!change.text.empty()) {
    lines.push_back(change.text);
  }
  return lines;
}

const Finding* finding_of(const result::Result& result, const std::string& rule) {
  const auto found = std::find_if(result.findings.begin(),
                                  result.findings.end(),
                                  [&](const Finding& each) { return each.rule == rule; });
  return found == result.findings.end() ? nullptr : &*found;
}

const std::string& reason_words(const Finding& finding) {
  return finding.because.empty() ? finding.expression : finding.because;
}

std::string because_words(const result::Result& result, const Recommendation& recommendation) {
  const Finding* const finding = finding_of(result, recommendation.rule);
  return finding == nullptr ? "" : reason_words(*finding);
}

std::string value_words(const Evidence& evidence) {
  return evidence.value.is_null()
             ? "not known: " + evidence.reason
             : expression::to_readable_text(value_of(evidence.value, evidence.unit));
}

std::string limit_words(const Evidence& evidence) {
  return evidence.limit.empty() ? "" : evidence.limit + " (" + evidence.limit_source + ")";
}

std::string count_words(const result::Result& result) {
  const auto& all = result.findings;
  const auto runs = std::count_if(
      all.begin(), all.end(), [](const Finding& finding) { return finding.needs_a_run; });
  std::string text = counted(static_cast<std::int64_t>(all.size()), "rule") + ": ";
  text += std::to_string(count_of(result, "fired")) + " fired, ";
  text += std::to_string(count_of(result, "quiet")) + " quiet, ";
  text += std::to_string(count_of(result, "not-applicable")) + " not applicable";
  return runs > 0 ? text + ", " + std::to_string(runs) + " of them need a run (tune run)" : text;
}

std::vector<std::string> doubt_lines(const result::Result& result) {
  std::vector<std::string> lines;
  for (const Finding& finding : result.findings) {
    if (is_doubt(finding)) {
      lines.push_back(finding.rule + ": " + reason_words(finding) + ". " + finding.title);
    }
  }
  return lines;
}

std::vector<const Recommendation*> by_proof(const result::Result& result) {
  const auto weight = [](const Recommendation* each) {
    const bool was_seen = each->predicted.model == "measured" && each->predicted.gain.value;
    return each->verdict == "CONFIRMED" ? 0 : each->measured.gain.value ? 3 : was_seen ? 1 : 2;
  };
  std::vector<const Recommendation*> all;
  all.reserve(result.recommendations.size());
  for (const Recommendation& recommendation : result.recommendations) {
    all.push_back(&recommendation);
  }
  std::stable_sort(all.begin(), all.end(), [&](const auto* one, const auto* other) {
    return weight(one) < weight(other);
  });
  return all;
}

std::vector<std::string> recommendation_lines(const result::Result& result,
                                              std::size_t most,
                                              bool is_verbose) {
  std::vector<std::string> lines;
  for (const Recommendation* const each : by_proof(result)) {
    const Recommendation& recommendation = *each;
    if (most-- == 0) {
      break;
    }
    lines.push_back(recommendation.id + "  " + recommendation.title + " [" + recommendation.rule +
                    "]: " + gain_words(recommendation.predicted));
    for (const std::string& line : tested_lines(recommendation)) {
      lines.push_back("    " + line);
    }
    for (const std::string& line : short_change_lines(result, recommendation)) {
      lines.push_back("    " + line);
    }
    if (const std::string losses = losses_words(result, recommendation); !losses.empty()) {
      lines.push_back("    losses " + losses);
    }
    if (const std::string places = places_of(result, recommendation); !places.empty()) {
      lines.push_back("    at " + places);
    }
    const Finding* const finding = finding_of(result, recommendation.rule);
    if (finding == nullptr) {
      continue;
    }
    const std::string because = because_words(result, recommendation);
    lines.push_back("    because " + because);
    if (is_verbose && because != finding->expression) {
      lines.push_back("    rule: " + finding->expression);
    }
  }
  return lines;
}

std::vector<std::string> other_finding_lines(const result::Result& result) {
  std::vector<std::string> lines;
  for (const Finding& finding : result.findings) {
    if (finding.state != "fired" || is_doubt(finding) || is_recommended(result, finding)) {
      continue;
    }
    std::string line = finding.rule + ": " + reason_words(finding);
    line += finding.explained_by.empty() ? ". " + finding.title
                                         : "; explained by " + joined(finding.explained_by);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> silent_lines(const result::Result& result) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const Finding& finding : result.findings) {
    if (finding.state == "not-applicable") {
      by_reason[finding.reason].push_back(finding.rule);
    }
  }
  std::vector<std::string> lines;
  lines.reserve(by_reason.size());
  for (const auto& [reason, rules] : by_reason) {
    lines.push_back(joined(rules) + ": " + reason);
  }
  return lines;
}

std::string diagnosis_markdown(const result::Result& result) {
  std::string text = "\n## Recommendations\n\n";
  for (const std::string& line : doubt_lines(result)) {
    text += "> **" + escape_markdown(line) + "**\n\n";
  }
  text += result.recommendations.empty()
              ? "No rule fired that proposes a change with a gain.\n"
              : "Gains are predicted unless it says that they were measured; they do not add.\n";
  for (const Recommendation& recommendation : result.recommendations) {
    text += card(result, recommendation);
  }
  text += "\n## Findings\n\n" + escape_markdown(count_words(result)) + ".\n\n";
  for (const std::string& line : other_finding_lines(result)) {
    text += "- " + escape_markdown(line) + "\n";
  }
  const std::vector<std::string> silent = silent_lines(result);
  text += silent.empty() ? "" : "\nNot applicable:\n\n";
  for (const std::string& line : silent) {
    text += "- " + escape_markdown(line) + "\n";
  }
  return text;
}

}  // namespace tune::report
