// What a rule proposes, and what that gains.

#include "advice/rule/read_rule.h"
#include "advice/rule/rule.h"
#include "base/text.h"
#include "scenario/machine.h"
#include "scenario/read_knobs.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tune::rule {

namespace {

using expression::Type;
using scenario::quote;
using scenario::YamlNode;

const Type kShare{.kind = Type::Kind::number};
const Type kCondition{.kind = Type::Kind::boolean};
constexpr std::array kModels = {Gain::Model::none,
                                Gain::Model::amdahl,
                                Gain::Model::differential,
                                Gain::Model::pipeline,
                                Gain::Model::roofline,
                                Gain::Model::critical_path,
                                Gain::Model::imbalance,
                                Gain::Model::measured};

std::string text_in(const YamlNode& map, const char* key) {
  const YamlNode* const node = map.find(key);
  return node != nullptr && node->kind == YamlNode::Kind::text ? node->text : "";
}

std::vector<std::string> knob_names() {
  std::vector<std::string> names;
  names.reserve(trial::all_knobs().size());
  for (const trial::Knob& knob : trial::all_knobs()) {
    names.push_back(knob.name);
  }
  return names;
}

std::vector<std::string> names_for_braces(const std::vector<std::string>& needs) {
  std::vector<std::string> names = knob_names();
  names.insert(names.end(), needs.begin(), needs.end());
  return names;
}

}  // namespace

void RuleReader::read_change(Rule& rule) {
  const YamlNode* const change = root_.find("change");
  if (change == nullptr || change->kind != YamlNode::Kind::map) {
    return;
  }
  rule.change.text = text_in(*change, "text");
  if (const YamlNode* const code = change->find("code")) {
    rule.change.cpp = read_code(code->find("cpp"));
    rule.change.python = read_code(code->find("python"));
    const YamlNode* const also = code->find("also");
    const YamlNode* const when = also == nullptr ? nullptr : also->find("when");
    if (when != nullptr) {
      rule.change.also = Sentence{text_in(*also, "say"), expression_of(*when, kCondition)};
    }
  }
  const YamlNode* const environment = change->find("environment");
  if (environment != nullptr && environment->kind == YamlNode::Kind::list) {
    read_environment(*environment, rule);
  }
  const YamlNode* const knobs = change->find("knobs");
  if (knobs != nullptr && knobs->kind == YamlNode::Kind::list) {
    read_knobs(*knobs, rule);
  }
}

// One text, or a list of which the last text is for where nothing before it holds.
std::vector<Sentence> RuleReader::read_code(const YamlNode* code) {
  if (code == nullptr) {
    return {};
  }
  if (code->kind != YamlNode::Kind::list) {
    check_placeholders(*code);
    return {{.words = code->text}};
  }
  std::vector<Sentence> all;
  for (const YamlNode& item : code->items) {
    const bool is_last = &item == &code->items.back();
    const bool has_condition = item.find("when") != nullptr;
    if (has_condition == is_last && !complaints_.has(item.mark)) {
      complaints_.add(
          item.mark,
          is_last ? "the last code of the list has a `when`" : "a code of the list has no `when`",
          "it holds where none before it does: the last one alone");
    }
    all.push_back(sentence_of(item));
    const YamlNode* const say = item.find("say");
    check_placeholders(say == nullptr ? item : *say);
  }
  return all;
}

void RuleReader::read_environment(const YamlNode& list, Rule& rule) {
  for (const YamlNode& item : list.items) {
    if (item.kind == YamlNode::Kind::text) {
      rule.change.environment.push_back(item.text);
      check_placeholders(item);
    }
  }
}

void RuleReader::check_placeholders(const YamlNode& code) {
  if (code.kind != YamlNode::Kind::text || complaints_.has(code.mark)) {
    return;
  }
  for (const Placeholder& placeholder : placeholders_in(code.text)) {
    const bool is_needed =
        std::find(needs_.begin(), needs_.end(), placeholder.name) != needs_.end();
    if (trial::find_knob(placeholder.name) == nullptr && !is_needed) {
      complaints_.add(code.mark,
                      quote(placeholder.name) + " in braces is neither a knob nor in `needs`",
                      "braces hold a value; those of the code itself have a space in them",
                      did_you_mean(placeholder.name, names_for_braces(needs_)));
    }
  }
}

void RuleReader::read_knobs(const YamlNode& list, Rule& rule) {
  for (const YamlNode& item : list.items) {
    const YamlNode* const name = item.find("name");
    const YamlNode* const to = item.find("to");
    if (name == nullptr || to == nullptr || complaints_.has(name->mark)) {
      continue;
    }
    const trial::Knob* const knob = trial::find_knob(name->text);
    if (knob == nullptr) {
      complaints_.add(name->mark,
                      "unknown knob " + quote(name->text),
                      "knobs are listed by 'tune list knobs'",
                      did_you_mean(name->text, knob_names()));
      continue;
    }
    const YamlNode* const when = item.find("when");
    auto condition = when != nullptr ? expression_of(*when, kCondition) : std::nullopt;
    if (const YamlNode* const computed = to->find("expression")) {
      const Type& wanted = scenario::forbid_names().at(knob->name);
      if (auto parsed = expression_of(*computed, wanted)) {
        rule.change.knobs.push_back({knob->name, std::move(*parsed), std::move(condition)});
      }
    } else if (auto value = scenario::read_knob_value(*knob, *to, complaints_)) {
      rule.change.knobs.push_back({knob->name, std::move(*value), std::move(condition)});
    }
  }
}

void RuleReader::read_gain(Rule& rule) {
  const YamlNode* const gain = root_.find("gain");
  if (gain != nullptr && gain->kind == YamlNode::Kind::map) {
    rule.gain = gain_of(*gain);
  }
}

// Nested as deep as YAML may be (16 levels).
Gain RuleReader::gain_of(const YamlNode& node) {
  Gain gain;
  const std::string model = text_in(node, "model");
  for (const Gain::Model known : kModels) {
    gain.model = model == to_text(known) ? known : gain.model;
  }
  const auto read = [&](const char* key) {
    const YamlNode* const part = node.find(key);
    return part != nullptr ? expression_of(*part, kShare) : std::nullopt;
  };
  if (const YamlNode* const when = node.find("when")) {
    gain.when = expression_of(*when, kCondition);
  }
  gain.share = read("share");
  gain.low = read("low");
  gain.high = read("high");
  const YamlNode* const removable = node.find("removable");
  const bool is_pair = removable != nullptr && removable->items.size() == 2;
  for (std::size_t i = 0; is_pair && i < 2; ++i) {
    if (auto parsed = expression_of(removable->items[i], kShare)) {
      gain.removable[i] = std::move(*parsed);
    }
  }
  const YamlNode* const of_causes = node.find("of_causes");
  gain.is_of_causes = of_causes != nullptr && of_causes->flag;
  const YamlNode* const otherwise = node.find("else");
  if (otherwise != nullptr && otherwise->kind == YamlNode::Kind::map) {
    gain.otherwise = std::make_shared<const Gain>(gain_of(*otherwise));
  }
  check_terms(node, gain.model);
  return gain;
}

void RuleReader::check_terms(const YamlNode& node, Gain::Model model) {
  const auto complain_about = [&](const char* key, bool is_wanted, bool is_allowed) {
    const YamlNode* const part = node.find(key);
    if (part == nullptr && is_wanted) {
      complaints_.add(node.mark,
                      "the key " + quote(key) + " is missing",
                      "the model " + quote(to_text(model)) + " needs it");
    } else if (part != nullptr && !is_allowed) {
      complaints_.add(
          part->mark, "the model " + quote(to_text(model)) + " has no " + quote(key), "", "");
    }
  };
  const bool has_share = takes_share(model);
  const bool has_range = !has_share && model != Gain::Model::none;
  const bool needs_range = has_range && model != Gain::Model::measured;
  for (const char* const key : {"share", "removable"}) {
    complain_about(key, has_share, has_share);
  }
  for (const char* const key : {"low", "high"}) {
    complain_about(key, needs_range, has_range);
  }
  // Half a range is none.
  const bool has_low = node.find("low") != nullptr;
  if (has_range && !needs_range && has_low != (node.find("high") != nullptr)) {
    complain_about(has_low ? "high" : "low", true, true);
  }
}

}  // namespace tune::rule
