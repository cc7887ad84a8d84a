#include "base/expression/expression.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/expression/tree.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>

namespace tune::expression {

Expression::Expression(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}

const Tree& Expression::tree() const {
  TUNE_ASSERT(tree_ != nullptr);
  return *tree_;
}

const std::string& Expression::text() const {
  return tree().text;
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  for (const Node& node : tree().nodes) {
    if (!node.name.empty() && std::find(names.begin(), names.end(), node.name) == names.end()) {
      names.push_back(node.name);
    }
  }
  return names;
}

Expression parse_expression(const std::string& text, const Place& place) {
  std::vector<Complaint> complaints;
  const auto expression = parse_expression(text, complaints);
  if (!expression) {
    const Complaint& first = complaints.front();
    const auto column = place.column + static_cast<std::int64_t>(first.offset);
    throw Error(
        Error::Parts{place.file + ":" + std::to_string(place.line) + ":" + std::to_string(column),
                     first.problem,
                     first.why,
                     first.suggestion});
  }
  return *expression;
}

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

  // `amp == 'fp61'` is never true: a misspelt word would silently never match.
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

namespace {

double number_of(const Value& value) {
  return std::get<Number>(value.data).value;
}
bool flag_of(const Value& value) {
  return std::get<bool>(value.data);
}

class Evaluator {
 public:
  Evaluator(const Tree& tree, const Lookup& lookup) : tree_(tree), lookup_(lookup) {}

  std::vector<Result> evaluate() {
    for (const Node& node : tree_.nodes) {
      results_.push_back(evaluate_node(node));
    }
    return std::move(results_);
  }

 private:
  Result evaluate_node(const Node& node) const {
    switch (node.operation) {
      case Operation::literal:
        return node.literal;
      case Operation::name:
        return lookup_(node.name);
      case Operation::known:
        return Value::of(std::holds_alternative<Value>(lookup_(node.name)));
      case Operation::logical_and:
        return evaluate_row(node, false);
      case Operation::logical_or:
        return evaluate_row(node, true);
      default:
        return evaluate_operation(node);
    }
  }

  // The type of the result; throws tune::Error when the types were not checked before.
  Type checked_type(const Node& node, const std::vector<Value>& values) const {
    std::vector<Type> types;
    std::transform(values.begin(), values.end(), std::back_inserter(types), type_of);
    std::string problem;
    const auto type = result_type(node.operation, types, problem);
    if (!type) {
      throw Error(Error::Parts{"`" + tree_.text + "`", problem, tree_.text_of(node), ""});
    }
    return *type;
  }

  // One operand equal to `decider` decides: false in a chain of `and`, true in a chain of `or`.
  Result evaluate_row(const Node& node, bool decider) const {
    std::vector<Value> known;
    const Unknown* leftmost = nullptr;
    for (const std::size_t operand : node.operands) {
      if (const auto* const value = std::get_if<Value>(&results_[operand])) {
        known.push_back(*value);
      } else if (leftmost == nullptr) {
        leftmost = &std::get<Unknown>(results_[operand]);
      }
    }
    if (!known.empty()) {
      checked_type(node, known);
    }
    const bool decided = std::any_of(
        known.begin(), known.end(), [&](const Value& value) { return flag_of(value) == decider; });
    if (decided) {
      return Value::of(decider);
    }
    return leftmost != nullptr ? Result(*leftmost) : Result(Value::of(!decider));
  }

  Result evaluate_operation(const Node& node) const {
    std::vector<Value> values;
    for (const std::size_t operand : node.operands) {
      if (const auto* const unknown = std::get_if<Unknown>(&results_[operand])) {
        return *unknown;
      }
      values.push_back(std::get<Value>(results_[operand]));
    }
    const Type type = checked_type(node, values);
    if (type.kind == Type::Kind::number) {
      return evaluate_number(node, values, type.dimension);
    }
    if (type.kind == Type::Kind::list) {
      return Value::of(std::move(values));
    }
    return Value::of(evaluate_boolean(node.operation, values));
  }

  Result evaluate_number(const Node& node,
                         const std::vector<Value>& values,
                         const Dimension& dimension) const {
    std::vector<double> numbers;
    std::transform(values.begin(), values.end(), std::back_inserter(numbers), number_of);
    if (node.operation == Operation::divide && numbers[1] == 0) {
      return Unknown{"division by zero in `" + tree_.text_of(node) + "`"};
    }
    const double number = compute(node.operation, numbers);
    if (!std::isfinite(number)) {
      return Unknown{"`" + tree_.text_of(node) + "` is not a finite number"};
    }
    return Value::of(number, dimension);
  }

  static double compute(Operation operation, const std::vector<double>& numbers) {
    switch (operation) {
      case Operation::negate:
        return -numbers[0];
      case Operation::absolute:
        return std::fabs(numbers[0]);
      case Operation::add:
        return numbers[0] + numbers[1];
      case Operation::subtract:
        return numbers[0] - numbers[1];
      case Operation::multiply:
        return numbers[0] * numbers[1];
      case Operation::divide:
        return numbers[0] / numbers[1];
      case Operation::minimum:
        return *std::min_element(numbers.begin(), numbers.end());
      default:
        return *std::max_element(numbers.begin(), numbers.end());
    }
  }

  static bool evaluate_boolean(Operation operation, const std::vector<Value>& values) {
    switch (operation) {
      case Operation::logical_not:
        return !flag_of(values[0]);
      case Operation::equal:
        return values[0] == values[1];
      case Operation::not_equal:
        return !(values[0] == values[1]);
      case Operation::in:
      case Operation::not_in: {
        const auto& list = std::get<Value::List>(values[1].data);
        const bool found = std::find(list.begin(), list.end(), values[0]) != list.end();
        return found == (operation == Operation::in);
      }
      case Operation::less:
        return number_of(values[0]) < number_of(values[1]);
      case Operation::less_equal:
        return number_of(values[0]) <= number_of(values[1]);
      case Operation::greater:
        return number_of(values[0]) > number_of(values[1]);
      default:
        return number_of(values[0]) >= number_of(values[1]);
    }
  }

  const Tree& tree_;
  const Lookup& lookup_;
  std::vector<Result> results_;
};

}  // namespace

Result evaluate(const Expression& expression, const Lookup& lookup, std::vector<Step>* trace) {
  const Tree& tree = expression.tree();
  const std::vector<Result> results = Evaluator(tree, lookup).evaluate();
  if (trace != nullptr) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      trace->push_back({tree.text_of(tree.nodes[i]), results[i]});
    }
  }
  return results.back();
}

}  // namespace tune::expression
