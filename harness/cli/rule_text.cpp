#include "cli/rule_text.h"

#include "base/expression/value.h"
#include "base/text.h"
#include "cli/terminal.h"
#include "report/diagnosis_text.h"
#include "report/markup.h"
#include "report/result_of.h"

#include <nlohmann/json.hpp>

namespace tune::cli {

namespace {

using expression::Unknown;
using expression::Value;
using nlohmann::ordered_json;

std::string ids(const std::vector<rule::Related>& list) {
  std::vector<std::string> words;
  words.reserve(list.size());
  for (const rule::Related& other : list) {
    words.push_back(other.id);
  }
  return joined(words);
}

// "name      text\n", nothing without a text.
std::string row(const char* name, const std::string& text) {
  return text.empty() ? "" : padded(name, 13) + one_line(text) + "\n";
}

std::string limit_rows(const rule::Rule& rule) {
  std::string text;
  for (const rule::Limit& limit : rule.limits) {
    text += row(text.empty() ? "limits" : "",
                limit.name + " " + limit.text + " (" + limit.source + ")");
  }
  return text;
}

std::string definition_rows(const rule::Rule& rule) {
  std::string text;
  for (const rule::Definition& defined : rule.let) {
    text += row(text.empty() ? "let" : "", defined.name + " = " + defined.value.text());
  }
  return text;
}

std::string knob_rows(const rule::Change& change) {
  std::string text;
  for (const rule::KnobChange& knob : change.knobs) {
    const auto* const fixed = std::get_if<trial::KnobValue>(&knob.to);
    const std::string to = fixed != nullptr ? trial::to_text(*fixed)
                                            : std::get<expression::Expression>(knob.to).text();
    std::string line = knob.knob + ": ";
    line += to;
    if (knob.when) {
      line += " (where " + knob.when->text() + ")";
    }
    text += row(text.empty() ? "set" : "", line);
  }
  return text;
}

std::string environment_rows(const rule::Change& change) {
  std::string text;
  for (const std::string& assignments : change.environment) {
    text += row(text.empty() ? "environment" : "  or", assignments);
  }
  return text;
}

// "high where gpu_busy_ratio < limit.low; else info".
std::string severity_text(const rule::Rule& rule) {
  std::string text;
  for (const rule::Grade& grade : rule.grades) {
    text += (text.empty() ? "" : "; ") + std::string(grade.when ? "" : "else ") +
            to_text(grade.level) + (grade.when ? " where " + grade.when->text() : "");
  }
  return text.empty() ? to_text(rule.severity) : text;
}

ordered_json grades_json(const rule::Rule& rule) {
  auto list = ordered_json::array();
  for (const rule::Grade& grade : rule.grades) {
    list.push_back(
        {{"level", to_text(grade.level)},
         {"when", grade.when ? ordered_json(grade.when->text()) : ordered_json(nullptr)}});
  }
  return list;
}

std::string gain_text(const rule::Gain& gain) {
  std::string text = to_text(gain.model);
  if (gain.is_of_causes) {
    text += ", where a rule that explains it fired";
  }
  if (gain.when) {
    text += " where " + gain.when->text();
  }
  if (gain.share) {
    text += ": share " + gain.share->text() + ", of which " + gain.removable[0].text() + " to " +
            gain.removable[1].text() + " can go";
  } else if (gain.low && gain.high) {
    text += ": " + gain.low->text() + " to " + gain.high->text();
  }
  return gain.otherwise == nullptr ? text : text + "; else " + gain_text(*gain.otherwise);
}

std::string part_line(const expression::ExplainedPart& part) {
  const auto* const value = std::get_if<Value>(&part.result);
  const std::string result =
      value != nullptr ? to_text(*value) : "unknown: " + std::get<Unknown>(part.result).reason;
  return std::string(2 + 2 * part.level, ' ') + one_line(part.text) + "  -> " + one_line(result) +
         "\n";
}

std::string evidence_line(const advice::Evidence& evidence) {
  const auto* const value = std::get_if<Value>(&evidence.value);
  std::string text = "  " + padded(evidence.name, 28);
  text += value != nullptr ? to_readable_text(*value)
                           : "not known: " + std::get<Unknown>(evidence.value).reason;
  if (!evidence.limit.empty()) {
    text += ", limit " + evidence.limit + " (" + evidence.limit_source + ")";
  }
  return one_line(text) + "\n";
}

std::string sentence_text(const rule::Sentence& sentence) {
  return sentence.words + (sentence.when ? " (where " + sentence.when->text() + ")" : "");
}

std::string code_rows(const char* language, const std::vector<rule::Sentence>& codes) {
  std::string text;
  for (const rule::Sentence& code : codes) {
    text += row(language, sentence_text(code));
  }
  return text;
}

}  // namespace

std::string list_text(const rule::Catalog& catalog) {
  std::string text =
      padded("rule", 29) + padded("group", 13) + padded("severity", 10) + "what to do\n";
  for (const rule::Rule& rule : catalog.rules) {
    text += padded(rule.id, 29) + padded(to_text(rule.group), 13) +
            padded(severity_word(rule), 10) + one_line(rule.title) + "\n";
  }
  return text;
}

std::string list_rows(const rule::Catalog& catalog) {
  std::string rows;
  for (const rule::Rule& rule : catalog.rules) {
    rows += plain_row(
        {rule.id, std::string(to_text(rule.group)), std::string(severity_word(rule)), rule.title});
  }
  return rows;
}

std::string list_json(const rule::Catalog& catalog) {
  auto list = ordered_json::array();
  for (const rule::Rule& rule : catalog.rules) {
    list.push_back({{"id", rule.id},
                    {"group", to_text(rule.group)},
                    {"title", rule.title},
                    {"question", rule.question},
                    {"severity", severity_word(rule)},
                    {"grades", grades_json(rule)},
                    {"guidance", rule.guidance},
                    {"numerics", rule.preserves_numerics ? "preserving" : "changing"},
                    {"needs", rule.needs},
                    {"file", rule.file}});
  }
  return ordered_json{{"rules", list}}.dump(2, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";
}

std::string rule_text(const rule::Rule& rule) {
  std::string text = rule.id + "\n" + one_line(rule.question) + "\n\n";
  text += row("do", rule.title);
  text += row("group", to_text(rule.group));
  text += row("file", rule.file);
  text += row("applies", rule.applies ? rule.applies->text() : "");
  text += row("when", rule.when.text());
  text += limit_rows(rule);
  text += definition_rows(rule);
  text += row("severity", severity_text(rule));
  text += row("needs", joined(rule.needs));
  text += knob_rows(rule.change);
  text += code_rows("Python", rule.change.python);
  text += code_rows("C++", rule.change.cpp);
  text += rule.change.also ? row("also", sentence_text(*rule.change.also)) : "";
  text += environment_rows(rule.change);
  text += row("how", rule.change.text);
  text += row("gain", gain_text(rule.gain));
  text += row("numerics", rule.preserves_numerics ? "preserving" : "changing");
  text += row("risk", rule.risk);
  text += row("verify", rule.verify);
  text += row("explained by", ids(rule.explained_by));
  text += row("mutes", ids(rule.mutes));
  text += row("conflicts", ids(rule.conflicts));
  text += row("read", joined(rule.links));
  return text;
}

std::string explanation_text(const advice::Finding& finding) {
  std::string text = finding.rule->id + ": " + to_text(finding.state);
  text += finding.reason.empty() ? "\n" : " (" + one_line(finding.reason) + ")\n";
  text += one_line(finding.rule->question) + "\n\n";
  for (const expression::ExplainedPart& part : finding.parts) {
    text += part_line(part);
  }
  text += "\nevidence\n";
  for (const advice::Evidence& evidence : finding.evidence) {
    text += evidence_line(evidence);
  }
  if (!finding.has_fired()) {
    return text;
  }
  text += "\n" + row("severity", to_text(finding.severity)) +
          row("confidence", to_text(finding.confidence)) +
          row("gain", report::gain_words(report::predicted_of(finding.gain))) +
          row("model", to_text(finding.gain.model)) + row("formula", finding.gain.formula) +
          row("labels", joined(finding.labels)) +
          row("explained by", joined(finding.explained_by)) + row("do", finding.rule->title);
  return text;
}

}  // namespace tune::cli
