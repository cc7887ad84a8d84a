#include "rule/read_rule.h"

#include "rule/rule_reader.h"
#include "scenario/check_schema.h"
#include "scenario/read_yaml.h"

#include <filesystem>

namespace tune::rule {

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
