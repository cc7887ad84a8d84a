#include "advice/rule/evaluate_rule.h"

#include "advice/rule/known_name.h"
#include "base/assert.h"
#include "base/expression/value.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace tune::rule {

namespace {

using expression::Expression;
using expression::Result;
using expression::Unknown;
using expression::Value;

constexpr std::string_view kLimitPrefix = "limit.", kLetPrefix = "let.";

std::string text_of_unknown(const std::string& name, const Unknown& unknown) {
  return name + ": " + unknown.reason;
}

// A limit is its number; everything else its name and its value.
expression::ShownName shown_names(const Rule& rule) {
  return [&rule](const std::string& name, const Result& result) {
    if (name.starts_with(kLimitPrefix)) {
      const Limit* const limit = rule.find_limit(name.substr(kLimitPrefix.size()));
      return limit != nullptr ? limit->text : name;
    }
    const auto* const value = std::get_if<Value>(&result);
    return name + " " + (value != nullptr ? to_readable_text(*value) : "unknown");
  };
}

expression::Lookup values_of(const Rule& rule, const FactTable& facts) {
  return [&rule, &facts](const std::string& name) { return value_for(rule, facts, name); };
}

// Whether what is unknown comes from where only a run looks.
bool a_run_could_tell(const FactTable& facts, const Expression& condition, const Unknown& decided) {
  const std::vector<std::string> names = condition.names();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const Result result = facts.value(name);
    const auto* const unknown = std::get_if<Unknown>(&result);
    const KnownName* const known = find_known_name(name);
    return unknown != nullptr && known != nullptr && needs_a_run(known->origin) &&
           text_of_unknown(name, *unknown) == decided.reason;
  });
}

Evaluation explained(const Rule& rule, const FactTable& facts, const Expression& condition) {
  Evaluation evaluation;
  expression::Explanation explanation =
      expression::explain(condition, values_of(rule, facts), shown_names(rule));
  evaluation.parts = std::move(explanation.parts);
  evaluation.text = std::move(explanation.deciding);
  const Result& result = evaluation.parts.front().result;
  if (const auto* const unknown = std::get_if<Unknown>(&result)) {
    evaluation.reason = unknown->reason;
    evaluation.needs_a_run = a_run_could_tell(facts, condition, *unknown);
    return evaluation;
  }
  evaluation.state = std::get<bool>(std::get<Value>(result).data) ? State::fired : State::quiet;
  return evaluation;
}

// Definitions before it are evaluated once each, in their order: one that uses another many times,
// and so on, costs no more.
Result value_of_definition(const Rule& rule, const FactTable& facts, const std::string& name) {
  std::map<std::string, Result> values;
  for (const Definition& defined : rule.let) {
    const Result& value =
        values
            .insert_or_assign(std::string(kLetPrefix) + defined.name,
                              evaluate(defined.value,
                                       [&](const std::string& used) {
                                         const auto earlier = values.find(used);
                                         return earlier != values.end()
                                                    ? earlier->second
                                                    : value_for(rule, facts, used);
                                       }))
            .first->second;
    if (name.substr(kLetPrefix.size()) == defined.name) {
      return value;
    }
  }
  TUNE_ASSERT(false);  // checked when the rule was read
  return Unknown{};
}

}  // namespace

const char* to_text(State state) {
  switch (state) {
    case State::fired:
      return "fired";
    case State::quiet:
      return "quiet";
    case State::not_applicable:
      return "not-applicable";
  }
  return "";
}

Result value_for(const Rule& rule, const FactTable& facts, const std::string& name) {
  if (name.starts_with(kLimitPrefix)) {
    const Limit* const limit = rule.find_limit(name.substr(kLimitPrefix.size()));
    TUNE_ASSERT(limit != nullptr);  // checked when the rule was read
    return limit->value;
  }
  if (name.starts_with(kLetPrefix)) {
    return value_of_definition(rule, facts, name);
  }
  Result result = facts.value(name);
  if (const auto* const unknown = std::get_if<Unknown>(&result)) {
    return Unknown{text_of_unknown(name, *unknown)};
  }
  return result;
}

std::string substituted(const Rule& rule, const FactTable& facts, const Expression& part) {
  return expression::substituted(part, values_of(rule, facts), shown_names(rule));
}

bool is_true(const Rule& rule, const FactTable& facts, const Expression& condition) {
  const Result result = evaluate(condition, values_of(rule, facts));
  const auto* const value = std::get_if<Value>(&result);
  return value != nullptr && std::get<bool>(value->data);
}

Evaluation evaluate_rule(const Rule& rule, const FactTable& facts) {
  if (rule.applies) {
    Evaluation applies = explained(rule, facts, *rule.applies);
    if (applies.state != State::fired) {
      if (applies.state == State::quiet) {
        applies.reason = "does not apply here: " + applies.text;
      }
      applies.state = State::not_applicable;
      return applies;
    }
  }
  return explained(rule, facts, rule.when);
}

}  // namespace tune::rule
