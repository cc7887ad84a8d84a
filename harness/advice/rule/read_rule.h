#pragma once

#include "advice/rule/rule.h"
#include "scenario/complaints.h"
#include "scenario/yaml_node.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::rule {

/// The parts of one rule file whose schema has been checked. A part that does not fit leaves a
/// complaint and its default.
class RuleReader {
 public:
  RuleReader(const scenario::YamlNode& root, scenario::Complaints& complaints);

  void read_texts(Rule& rule);
  void read_needs(Rule& rule);
  void read_because(Rule& rule);  ///< after needs, limits and let
  void read_limits(Rule& rule);
  void read_let(Rule& rule);  ///< after needs and limits
  void read_conditions(Rule& rule);
  void read_severity(Rule& rule);
  void read_evidence(Rule& rule);
  void read_change(Rule& rule);
  void read_gain(Rule& rule);
  void read_relations(Rule& rule);

 private:
  using YamlNode = scenario::YamlNode;

  std::string text_of(const char* key) const;
  std::vector<std::string> texts_of(const char* key) const;
  std::vector<Related> related(const char* key) const;
  void read_knobs(const YamlNode& list, Rule& rule);
  void read_environment(const YamlNode& list, Rule& rule);
  std::vector<Sentence> read_code(const YamlNode* code);
  void check_placeholders(const YamlNode& code);
  Sentence sentence_of(const YamlNode& item);  ///< a text, or {when, say}
  Gain gain_of(const YamlNode& node);
  void check_terms(const YamlNode& node, Gain::Model model);

  /// Parsed, with no name but those of `needs`, the limits and the definitions before it.
  /// `wanted`: the type that it must have; nothing: any.
  std::optional<expression::Expression> expression_of(const YamlNode& node,
                                                      const std::optional<expression::Type>& wanted,
                                                      expression::Type* found_type = nullptr);
  expression::NameTypes types_for(const expression::Expression& parsed) const;
  void check_needed(const YamlNode& node, const expression::Expression& parsed);
  void complain(const YamlNode& node, const expression::Complaint& complaint);

  const YamlNode& root_;
  scenario::Complaints& complaints_;
  std::vector<std::string> needs_;
  expression::NameTypes own_names_;  ///< limit.<name>, let.<name>
};

}  // namespace tune::rule

namespace tune {

/// reports/schema/rule.schema.json, embedded.
extern const std::string_view kRuleSchemaText;

}  // namespace tune

namespace tune::rule {

/// What rule files are called in complaints.
constexpr scenario::DocumentKind kRuleKind = {
    .one = "a rule", .many = "rules", .see = "see `tune schema rule`"};

/// One rule file, as far as it can be read; everything that is wrong with it is added. Throws what
/// `complaints` holds when it is not YAML.
Rule read_rule(const std::string& text, const std::string& file, scenario::Complaints& complaints);

/// The same alone. `file` is named in complaints, and its stem must be the id. Throws tune::Error
/// with everything that is wrong with it, each with file:line:col.
Rule read_rule(const std::string& text, const std::string& file);

}  // namespace tune::rule
