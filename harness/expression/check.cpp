#include "base/did_you_mean.h"
#include "expression/expression.h"
#include "expression/tree.h"
#include "expression/type_rules.h"

#include <algorithm>

namespace tune::expression {

namespace {

class Checker {
 public:
  Checker(const Tree& tree, const NameTypes& names, std::vector<Complaint>& complaints)
      : tree_(tree), names_(names), complaints_(complaints) {}

  std::optional<Type> check() {
    for (const Node& node : tree_.nodes) {
      types_.push_back(type_of_node(node));
    }
    return types_.back();
  }

 private:
  std::optional<Type> type_of_node(const Node& node) {
    switch (node.operation) {
      case Operation::literal:
        return type_of(node.literal);
      case Operation::name:
        return type_of_name(node);
      case Operation::known:
        return type_of_name(node) ? std::optional<Type>{{.kind = Type::Kind::boolean}}
                                  : std::nullopt;
      default:
        return type_of_operation(node);
    }
  }

  std::optional<Type> type_of_name(const Node& node) {
    const auto found = names_.find(node.name);
    if (found != names_.end()) {
      return found->second;
    }
    std::vector<std::string> candidates;
    for (const auto& [name, type] : names_) {
      candidates.push_back(name);
    }
    const std::string nearest = did_you_mean(node.name, candidates);
    complaints_.push_back({node.begin,
                           "unknown name `" + node.name + "`",
                           "no metric, knob or machine fact",
                           nearest.empty() ? "" : "did you mean `" + nearest + "`"});
    return std::nullopt;
  }

  std::optional<Type> type_of_operation(const Node& node) {
    std::vector<Type> operands;
    for (const std::size_t operand : node.operands) {
      if (!types_[operand]) {
        return std::nullopt;  // complained about already
      }
      operands.push_back(*types_[operand]);
    }
    std::string problem;
    auto type = result_type(node.operation, operands, problem);
    if (!type) {
      complaints_.push_back({node.begin, problem, "`" + tree_.text_of(node) + "`", ""});
    } else {
      check_choices(node);
    }
    return type;
  }

  // `amp == 'fp61'` is never true: a misspelt word would silently forbid nothing.
  void check_choices(const Node& node) {
    switch (node.operation) {
      case Operation::equal:
      case Operation::not_equal:
        check_word(node.operands[0], node.operands[1]);
        check_word(node.operands[1], node.operands[0]);
        break;
      case Operation::in:
      case Operation::not_in:
        for (const std::size_t element : tree_.nodes[node.operands[1]].operands) {
          check_word(node.operands[0], element);
        }
        break;
      default:
        break;
    }
  }

  void check_word(std::size_t name, std::size_t word) {
    const std::vector<std::string>& choices = types_[name]->choices;
    const Node& node = tree_.nodes[word];
    const auto* const text = std::get_if<std::string>(&node.literal.data);
    const bool literal = node.operation == Operation::literal && text != nullptr;
    if (choices.empty() || !literal ||
        std::find(choices.begin(), choices.end(), *text) != choices.end()) {
      return;
    }
    std::string list;
    for (const std::string& choice : choices) {
      list += (list.empty() ? "" : " ") + choice;
    }
    const std::string nearest = did_you_mean(*text, choices);
    complaints_.push_back({node.begin,
                           "`" + tree_.text_of(tree_.nodes[name]) + "` is never '" + *text + "'",
                           "one of: " + list,
                           nearest.empty() ? "" : "did you mean '" + nearest + "'"});
  }

  const Tree& tree_;
  const NameTypes& names_;
  std::vector<Complaint>& complaints_;
  std::vector<std::optional<Type>> types_;
};

}  // namespace

std::optional<Type> check_expression(const Expression& expression,
                                     const NameTypes& names,
                                     std::vector<Complaint>& complaints) {
  const std::size_t before = complaints.size();
  const auto type = Checker(expression.tree(), names, complaints).check();
  return complaints.size() == before ? type : std::nullopt;
}

}  // namespace tune::expression
