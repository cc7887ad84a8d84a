#include "advice/recommend.h"

#include "advice/filled_code.h"
#include "rule/evaluate_rule.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::advice {

namespace {

using expression::Expression;
using expression::Result;
using expression::Unknown;
using expression::Value;
using rule::FactTable;
using rule::Rule;

bool has_gain(const Finding& finding) {
  return finding.rule->gain.model != rule::Gain::Model::none && !finding.rule->gain.is_of_causes;
}

bool names(const std::vector<rule::Related>& list, const std::string& id) {
  return std::any_of(
      list.begin(), list.end(), [&](const rule::Related& other) { return other.id == id; });
}

// A whole number is rounded up and kept within the knob's range.
std::optional<trial::KnobValue> to_knob_value(const trial::Knob& knob, const Value& value) {
  if (const auto* const number = std::get_if<expression::Number>(&value.data)) {
    const double whole = std::clamp(std::ceil(number->value - 1e-9),
                                    static_cast<double>(knob.min),
                                    static_cast<double>(knob.max));
    return static_cast<std::int64_t>(whole);
  }
  if (const auto* const flag = std::get_if<bool>(&value.data)) {
    return *flag;
  }
  const auto* const word = std::get_if<std::string>(&value.data);
  if (word == nullptr || !trial::complaint_about(knob, *word).empty()) {
    return std::nullopt;
  }
  return *word;
}

ProposedKnob propose(const rule::KnobChange& change, const Rule& rule, const FactTable& facts) {
  ProposedKnob proposed{.name = change.knob};
  const trial::Knob& knob = *trial::find_knob(change.knob);
  const Result present = facts.value(change.knob);
  if (const auto* const value = std::get_if<Value>(&present)) {
    const auto from = to_knob_value(knob, *value);
    proposed.from = from ? trial::to_text(*from) : "";
  }
  if (const auto* const fixed = std::get_if<trial::KnobValue>(&change.to)) {
    proposed.to = *fixed;
    return proposed;
  }
  const Result computed = evaluate(std::get<Expression>(change.to), [&](const std::string& name) {
    return value_for(rule, facts, name);
  });
  if (const auto* const unknown = std::get_if<Unknown>(&computed)) {
    proposed.reason = unknown->reason;
    return proposed;
  }
  proposed.to = to_knob_value(knob, std::get<Value>(computed));
  proposed.reason = proposed.to ? "" : "the rule computes a value that the knob cannot have";
  return proposed;
}

bool changes_something(const ProposedKnob& knob) {
  return !knob.to || knob.from.empty() || knob.from != trial::to_text(*knob.to);
}

bool has_words(const rule::Change& change) {
  return !change.cpp.empty() || !change.python.empty() || !change.environment.empty() ||
         !change.text.empty();
}

void add_relations(Recommendation& recommendation, const std::vector<Finding>& all) {
  const std::string& id = recommendation.rule->id;
  recommendation.risks.push_back(recommendation.rule->risk);
  for (const Finding& other : all) {
    const auto& causes = other.explained_by;
    if (std::find(causes.begin(), causes.end(), id) != causes.end()) {
      recommendation.explains.push_back(other.rule->id);
    }
    if (other.has_fired() && names(other.rule->conflicts, id)) {
      recommendation.breaks_a_limit = true;
      recommendation.risks.push_back(other.rule->id + ": " + other.rule->risk);
    }
  }
}

}  // namespace

std::optional<Recommendation> recommend(const Finding& finding,
                                        const FactTable& facts,
                                        const std::vector<Finding>& all) {
  const bool is_explained = std::any_of(all.begin(), all.end(), [&](const Finding& other) {
    const auto& causes = finding.explained_by;
    return has_gain(other) &&
           std::find(causes.begin(), causes.end(), other.rule->id) != causes.end();
  });
  if (!finding.has_fired() || !has_gain(finding) || is_explained) {
    return std::nullopt;
  }
  const Rule& rule = *finding.rule;
  Recommendation recommendation{.rule = &rule};
  for (const rule::KnobChange& change : rule.change.knobs) {
    if (change.when && !is_true(rule, facts, *change.when)) {
      continue;
    }
    ProposedKnob knob = propose(change, rule, facts);
    if (changes_something(knob)) {
      recommendation.knobs.push_back(std::move(knob));
    }
  }
  if (recommendation.knobs.empty() && !has_words(rule.change)) {
    return std::nullopt;
  }
  recommendation.cpp = filled_code(rule.change.cpp, recommendation.knobs, facts);
  recommendation.python = filled_code(rule.change.python, recommendation.knobs, facts);
  for (const std::string& assignments : rule.change.environment) {
    recommendation.environment.push_back(filled_code(assignments, recommendation.knobs, facts));
  }
  recommendation.severity = finding.severity;
  recommendation.confidence = finding.confidence;
  recommendation.predicted = finding.gain;
  add_relations(recommendation, all);
  return recommendation;
}

}  // namespace tune::advice
