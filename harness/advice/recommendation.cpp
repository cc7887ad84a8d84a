#include "advice/recommendation.h"

#include "advice/rule/evaluate_rule.h"
#include "advice/rule/rule.h"
#include "base/expression/value.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <variant>

namespace tune::advice {

namespace {

std::string value_text(const std::string& name,
                       const std::vector<ProposedKnob>& knobs,
                       const rule::FactTable& facts) {
  const auto proposed = std::find_if(
      knobs.begin(), knobs.end(), [&](const ProposedKnob& knob) { return knob.name == name; });
  if (proposed != knobs.end()) {
    return proposed->to ? trial::to_text(*proposed->to) : "...";
  }
  const expression::Result present = facts.value(name);
  const auto* const value = std::get_if<expression::Value>(&present);
  if (value == nullptr) {
    return "...";
  }
  const auto* const number = std::get_if<expression::Number>(&value->data);
  if (number != nullptr && trial::find_knob(name) != nullptr) {
    return std::to_string(std::llround(number->value));  // knobs are whole numbers
  }
  const auto* const word = std::get_if<std::string>(&value->data);
  return word != nullptr ? *word : expression::to_readable_text(*value);
}

}  // namespace

std::string filled_code(const std::string& code,
                        const std::vector<ProposedKnob>& knobs,
                        const rule::FactTable& facts) {
  std::string text;
  std::size_t copied = 0;
  for (const rule::Placeholder& placeholder : rule::placeholders_in(code)) {
    text.append(code, copied, placeholder.begin - copied);
    text += value_text(placeholder.name, knobs, facts);
    copied = placeholder.begin + placeholder.size;
  }
  return text.append(code, copied, std::string::npos);
}

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

bool holds(const rule::Sentence& sentence, const Rule& rule, const FactTable& facts) {
  return !sentence.when || is_true(rule, facts, *sentence.when);
}

// Rules name torch.cuda and 'cuda'.
std::string in_module_of_device(std::string code, const FactTable& facts) {
  constexpr std::string_view kCuda = "cuda";
  for (const std::string_view before : {"torch.", "'"}) {
    const std::string text = std::string(before) + std::string(kCuda);
    for (std::size_t at = code.find(text); at != std::string::npos;
         at = code.find(text, at + before.size() + facts.device_module.size())) {
      code.replace(at + before.size(), kCuda.size(), facts.device_module);
    }
  }
  return code;
}

// The first that holds, with the words that belong to it; "" of no code.
std::string code_that_holds(const std::vector<rule::Sentence>& codes,
                            const Rule& rule,
                            const FactTable& facts) {
  const auto code = std::find_if(codes.begin(), codes.end(), [&](const rule::Sentence& sentence) {
    return holds(sentence, rule, facts);
  });
  if (code == codes.end()) {
    return "";
  }
  const auto& also = rule.change.also;
  return also && holds(*also, rule, facts) ? code->words + ", " + also->words : code->words;
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
  recommendation.cpp =
      filled_code(code_that_holds(rule.change.cpp, rule, facts), recommendation.knobs, facts);
  recommendation.python = in_module_of_device(
      filled_code(code_that_holds(rule.change.python, rule, facts), recommendation.knobs, facts),
      facts);
  for (const std::string& assignments : rule.change.environment) {
    recommendation.environment.push_back(filled_code(assignments, recommendation.knobs, facts));
  }
  recommendation.severity = finding.severity;
  recommendation.confidence = finding.confidence;
  recommendation.predicted = finding.gain;
  add_relations(recommendation, all);
  return recommendation;
}

namespace {

using Verdict = MeasuredGain::Verdict;

constexpr double kHitRateWithoutHistory = 0.5;

int verdict_order(const Recommendation& recommendation) {
  if (!recommendation.measured || recommendation.measured->verdict == Verdict::ambiguous) {
    return 1;
  }
  return recommendation.measured->verdict == Verdict::confirmed ? 0 : 2;
}

double worth(const Recommendation& recommendation, const HitRates& hit_rates) {
  if (recommendation.measured) {
    return recommendation.measured->lower;
  }
  if (recommendation.seen && *recommendation.seen < 0) {  // a trial is worth more than a model
    return *recommendation.seen;
  }
  if (!recommendation.predicted.is_known()) {
    return 0;
  }
  const auto rate = hit_rates.find(recommendation.rule->id);
  return recommendation.predicted.middle() *
         (rate != hit_rates.end() ? rate->second : kHitRateWithoutHistory);
}

int strength(const Recommendation& recommendation) {
  if (recommendation.measured) {
    return 2;
  }
  return recommendation.predicted.model == rule::Gain::Model::differential ? 1 : 0;
}

}  // namespace

const char* to_text(MeasuredGain::Verdict verdict) {
  return verdict == Verdict::confirmed ? "CONFIRMED"
         : verdict == Verdict::refuted ? "REFUTED"
                                       : "AMBIGUOUS";
}

void note_broken_constraints(Recommendation& recommendation,
                             const std::vector<std::string>& broken) {
  if (broken.empty() || !recommendation.broken_constraints.empty()) {
    return;  // said already
  }
  recommendation.broken_constraints = broken;
  recommendation.breaks_a_limit = true;
  for (const std::string& constraint : broken) {
    recommendation.risks.push_back("It breaks a constraint of the scenario: " + constraint + ".");
  }
}

void rank(std::vector<Recommendation>& recommendations, const HitRates& hit_rates) {
  const auto key = [&](const Recommendation& recommendation) {
    return std::tuple(recommendation.breaks_a_limit,
                      verdict_order(recommendation),
                      -worth(recommendation, hit_rates),
                      -recommendation.rule->guidance,
                      recommendation.knobs.size(),
                      recommendation.rule->id);
  };
  std::sort(recommendations.begin(),
            recommendations.end(),
            [&](const Recommendation& a, const Recommendation& b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < recommendations.size(); ++i) {
    recommendations[i].id = "R" + std::to_string(i + 1);
  }
}

const char* rank_formula() {
  return "lower bound of the measured gain, else a loss seen in the search, else middle of the "
         "predicted gain x hit rate of the rule (0.5 without history); then one knob before code, "
         "fewer knobs, id. What breaks a limit "
         "comes last. Gains do not add.";
}

void settle_conflicts(std::vector<Recommendation>& recommendations) {
  struct Claim {
    const Recommendation* by;
    trial::KnobValue to;
  };
  std::vector<std::size_t> order(recommendations.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return strength(recommendations[a]) > strength(recommendations[b]);
  });
  std::map<std::string, Claim> claims;
  for (const std::size_t index : order) {
    Recommendation& recommendation = recommendations[index];
    std::erase_if(recommendation.knobs, [&](const ProposedKnob& knob) {
      if (!knob.to) {
        return false;
      }
      const auto claim = claims.try_emplace(knob.name, Claim{&recommendation, *knob.to}).first;
      if (claim->second.to == *knob.to) {
        return false;
      }
      recommendation.rejected.push_back(knob.name + " " + trial::to_text(*knob.to) + ": " +
                                        claim->second.by->rule->id + " proposes " +
                                        trial::to_text(claim->second.to));
      return true;
    });
  }
}

}  // namespace tune::advice
