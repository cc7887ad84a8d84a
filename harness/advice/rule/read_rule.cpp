#include "advice/rule/read_rule.h"

#include "advice/rule/known_name.h"
#include "advice/rule/rule.h"
#include "base/expression/tree.h"
#include "base/text.h"
#include "scenario/check_schema.h"
#include "scenario/read_yaml.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tune::rule {

namespace {

using expression::Expression;
using expression::Type;
using scenario::Complaints;
using scenario::quote;
using scenario::YamlNode;

const Type kCondition{.kind = Type::Kind::boolean};

bool is_scalar(const YamlNode& node) {
  return node.kind != YamlNode::Kind::list && node.kind != YamlNode::Kind::map &&
         node.kind != YamlNode::Kind::null;
}

const YamlNode* find(const YamlNode& node, const char* key, YamlNode::Kind kind) {
  const YamlNode* const value = node.find(key);
  return value != nullptr && value->kind == kind ? value : nullptr;
}

template <class Word, std::size_t N>
Word word_of(const std::string& text, const std::array<Word, N>& words) {
  for (const Word word : words) {
    if (text == to_text(word)) {
      return word;
    }
  }
  return words.front();  // the schema has complained
}

constexpr std::array kGroups = {Group::validity,
                                Group::environment,
                                Group::input,
                                Group::transfers,
                                Group::launch,
                                Group::compute,
                                Group::distributed,
                                Group::memory,
                                Group::host};
constexpr std::array kSeverities = {
    Severity::from_gain, Severity::info, Severity::low, Severity::medium, Severity::high};

}  // namespace

RuleReader::RuleReader(const YamlNode& root, Complaints& complaints)
    : root_(root), complaints_(complaints) {}

std::string RuleReader::text_of(const char* key) const {
  const YamlNode* const node = root_.find(key);
  return node != nullptr && is_scalar(*node) ? node->text : "";
}

std::vector<std::string> RuleReader::texts_of(const char* key) const {
  std::vector<std::string> texts;
  if (const YamlNode* const list = find(root_, key, YamlNode::Kind::list)) {
    texts.reserve(list->items.size());
    for (const YamlNode& item : list->items) {
      texts.push_back(item.text);
    }
  }
  return texts;
}

void RuleReader::read_texts(Rule& rule) {
  rule.id = text_of("id");
  if (const YamlNode* const id = root_.find("id")) {
    rule.id_mark = id->mark;
  }
  rule.group = word_of(text_of("group"), kGroups);
  rule.title = text_of("title");
  rule.question = text_of("question");
  rule.preserves_numerics = text_of("numerics") != "changing";
  rule.helps_python = text_of("transfers") != "cpp";
  rule.risk = text_of("risk");
  rule.verify = text_of("verify");
  rule.links = texts_of("links");
  if (const YamlNode* const guidance = find(root_, "guidance", YamlNode::Kind::whole)) {
    rule.guidance = static_cast<int>(std::clamp<std::int64_t>(guidance->whole, 1, 3));
  }
}

void RuleReader::read_needs(Rule& rule) {
  const YamlNode* const list = find(root_, "needs", YamlNode::Kind::list);
  if (list == nullptr) {
    return;
  }
  std::vector<std::string> candidates;
  for (const YamlNode& item : list->items) {
    if (find_known_name(item.text) == nullptr && !complaints_.has(item.mark)) {
      if (candidates.empty()) {
        candidates.reserve(known_names().size());
        for (const auto& [name, known] : known_names()) {
          candidates.push_back(name);
        }
      }
      const std::string nearest = did_you_mean(item.text, candidates);
      complaints_.add(item.mark,
                      "unknown name `" + item.text + "`",
                      "no metric, knob or machine fact",
                      nearest.empty() ? "" : "did you mean `" + nearest + "`");
    }
    rule.needs.push_back(item.text);
  }
  needs_ = rule.needs;
}

Sentence RuleReader::sentence_of(const YamlNode& item) {
  const YamlNode* const say = item.find("say");
  Sentence sentence{.words = say == nullptr ? item.text : say->text};
  if (const YamlNode* const when = item.find("when")) {
    sentence.when = expression_of(*when, kCondition);
  }
  return sentence;
}

void RuleReader::read_because(Rule& rule) {
  const YamlNode* const list = find(root_, "because", YamlNode::Kind::list);
  if (list == nullptr) {
    return;
  }
  for (const YamlNode& item : list->items) {
    Sentence reason = sentence_of(item);
    for (const Slot& slot : slots_in(reason.words)) {
      const bool is_needed = std::find(needs_.begin(), needs_.end(), slot.name) != needs_.end();
      if (!is_needed && !complaints_.has(item.mark)) {
        complaints_.add(item.mark,
                        "`{" + slot.name + "}` is not in `needs`",
                        "a sentence of `because` has values of the rule alone",
                        did_you_mean(slot.name, needs_));
      }
    }
    rule.because.push_back(std::move(reason));
  }
}

void RuleReader::read_limits(Rule& rule) {
  const YamlNode* const map = find(root_, "limits", YamlNode::Kind::map);
  if (map == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < map->items.size(); ++i) {
    const YamlNode* const value = map->items[i].find("value");
    if (value == nullptr || !is_scalar(*value) || complaints_.has(value->mark)) {
      continue;
    }
    const auto number = read_quantity(value->text);
    if (!number) {
      complaints_.add(value->mark,
                      quote("limits." + map->keys[i].name + ".value") + " is not a quantity",
                      "is " + quote(value->text));
      continue;
    }
    Limit limit{.name = map->keys[i].name, .value = *number, .text = value->text};
    if (const YamlNode* const source = map->items[i].find("source")) {
      limit.source = source->text;
    }
    const YamlNode* const calibrate = map->items[i].find("calibrate");
    limit.is_calibrated = calibrate != nullptr && calibrate->flag;
    own_names_.insert_or_assign("limit." + limit.name, type_of(limit.value));
    rule.limits.push_back(std::move(limit));
  }
}

void RuleReader::read_let(Rule& rule) {
  const YamlNode* const map = find(root_, "let", YamlNode::Kind::map);
  if (map == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < map->items.size(); ++i) {
    Type type;
    if (auto parsed = expression_of(map->items[i], std::nullopt, &type)) {
      own_names_.insert_or_assign("let." + map->keys[i].name, type);
      rule.let.push_back({map->keys[i].name, std::move(*parsed)});
    }
  }
}

void RuleReader::read_conditions(Rule& rule) {
  if (const YamlNode* const applies = root_.find("applies")) {
    rule.applies = expression_of(*applies, kCondition);
  }
  if (const YamlNode* const when = root_.find("when")) {
    if (auto parsed = expression_of(*when, kCondition)) {
      rule.when = std::move(*parsed);
    }
  }
}

void RuleReader::read_severity(Rule& rule) {
  const YamlNode* const list = find(root_, "severity", YamlNode::Kind::list);
  if (list == nullptr) {
    rule.severity = word_of(text_of("severity"), kSeverities);
    return;
  }
  for (const YamlNode& item : list->items) {
    Grade grade;
    const bool is_last = &item == &list->items.back();
    if (const YamlNode* const level = item.find("level")) {
      grade.level = word_of(level->text, kSeverities);
    }
    const YamlNode* const when = item.find("when");
    if ((when == nullptr) != is_last && !complaints_.has(item.mark)) {
      complaints_.add(item.mark,
                      is_last ? "the last level of `severity` has a `when`"
                              : "a level of `severity` has no `when`",
                      "it holds where no level before it does: the last one alone");
    }
    if (when != nullptr) {
      grade.when = expression_of(*when, kCondition);
    }
    rule.severity = grade.level;
    rule.grades.push_back(std::move(grade));
  }
}

void RuleReader::read_evidence(Rule& rule) {
  rule.evidence = texts_of("evidence");
  const YamlNode* const list = find(root_, "evidence", YamlNode::Kind::list);
  for (std::size_t i = 0; i < rule.evidence.size(); ++i) {
    const bool is_needed =
        std::find(needs_.begin(), needs_.end(), rule.evidence[i]) != needs_.end();
    if (!is_needed && !complaints_.has(list->items[i].mark)) {
      complaints_.add(list->items[i].mark,
                      "`" + rule.evidence[i] + "` is shown but not in `needs`",
                      "",
                      did_you_mean(rule.evidence[i], needs_));
    }
  }
}

std::vector<Related> RuleReader::related(const char* key) const {
  std::vector<Related> ids;
  if (const YamlNode* const list = find(root_, key, YamlNode::Kind::list)) {
    ids.reserve(list->items.size());
    for (const YamlNode& item : list->items) {
      ids.push_back({item.text, item.mark});
    }
  }
  return ids;
}

void RuleReader::read_relations(Rule& rule) {
  rule.explained_by = related("explained_by");
  rule.mutes = related("mutes");
  rule.conflicts = related("conflicts");
  const YamlNode* const rejects = root_.find("rejects_window");
  rule.rejects_window = rejects != nullptr && rejects->flag;
}

void RuleReader::complain(const YamlNode& node, const expression::Complaint& complaint) {
  complaints_.add({node.mark.line, node.text_column + static_cast<std::int64_t>(complaint.offset)},
                  complaint.problem,
                  complaint.why,
                  complaint.suggestion);
}

// The names that it uses; all names when one is not known, so that the nearest can be found.
expression::NameTypes RuleReader::types_for(const Expression& parsed) const {
  expression::NameTypes types = own_names_;
  for (const std::string& name : parsed.names()) {
    const KnownName* const known = find_known_name(name);
    if (known != nullptr) {
      types.emplace(name, known->type);
    } else if (!types.contains(name)) {
      for (const auto& [other, type] : known_names()) {
        types.emplace(other, type.type);
      }
    }
  }
  return types;
}

void RuleReader::check_needed(const YamlNode& node, const Expression& parsed) {
  const YamlNode* const needs = root_.find("needs");
  const std::string line = needs == nullptr ? "" : "line " + std::to_string(needs->mark.line);
  for (const expression::Node& part : parsed.tree().nodes) {
    const bool is_fact = !part.name.empty() && find_known_name(part.name) != nullptr;
    if (is_fact && std::find(needs_.begin(), needs_.end(), part.name) == needs_.end()) {
      complain(node,
               {part.begin, "`" + part.name + "` is used but not in `needs`", line, "add it"});
    }
  }
}

std::optional<Expression> RuleReader::expression_of(const YamlNode& node,
                                                    const std::optional<Type>& wanted,
                                                    Type* found_type) {
  if (!is_scalar(node) || complaints_.has(node.mark)) {
    return std::nullopt;
  }
  std::vector<expression::Complaint> found;
  auto parsed = expression::parse_expression(node.text, found);
  const auto type =
      parsed ? expression::check_expression(*parsed, types_for(*parsed), found) : std::nullopt;
  if (type && wanted && !type->same_as(*wanted)) {
    found.push_back({0, "must be " + to_text(*wanted), "this is " + to_text(*type), ""});
  }
  if (type && found_type != nullptr) {
    *found_type = *type;
  }
  for (const expression::Complaint& complaint : found) {
    complain(node, complaint);
  }
  if (parsed) {
    check_needed(node, *parsed);
  }
  return found.empty() ? std::move(parsed) : std::nullopt;
}

namespace {

// As quote() makes it fit for a message, with the marks that complaints about rules use.
std::string ticked(const std::string& text) {
  std::string shown = scenario::quote(text);
  shown.front() = '`';
  shown.back() = '`';
  return shown;
}

void check_id(const Rule& rule, scenario::Complaints& complaints) {
  const std::string stem = std::filesystem::path(rule.file).stem().string();
  if (rule.id != stem) {
    complaints.add(rule.id_mark,
                   "id " + ticked(rule.id) + " does not equal the file name " + ticked(stem));
  }
}

}  // namespace

Rule read_rule(const std::string& text, const std::string& file, scenario::Complaints& complaints) {
  const scenario::YamlNode root = scenario::read_yaml(text, complaints);
  static const scenario::Schema schema(kRuleSchemaText);
  schema.check(root, complaints);

  Rule rule{.file = file, .text = text};
  RuleReader reader(root, complaints);
  reader.read_texts(rule);
  check_id(rule, complaints);
  reader.read_needs(rule);
  reader.read_limits(rule);
  reader.read_let(rule);
  reader.read_because(rule);
  reader.read_conditions(rule);
  reader.read_severity(rule);
  reader.read_evidence(rule);
  reader.read_change(rule);
  reader.read_gain(rule);
  reader.read_relations(rule);
  return rule;
}

Rule read_rule(const std::string& text, const std::string& file) {
  scenario::Complaints complaints(file, kRuleKind);
  Rule rule = read_rule(text, file, complaints);
  complaints.throw_if_any();
  return rule;
}

}  // namespace tune::rule
