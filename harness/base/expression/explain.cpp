#include "base/expression/explain.h"

#include "base/expression/tree.h"
#include "base/expression/value.h"

#include <utility>

namespace tune::expression {

namespace {

// How tightly an operation binds its operands: a looser operation inside it needs brackets.
constexpr int kOr = 0, kAnd = 1, kNot = 2, kComparison = 3, kSum = 4, kProduct = 5, kNegation = 6,
              kAtom = 7;

int tightness(Operation operation) {
  switch (operation) {
    case Operation::logical_or:
      return kOr;
    case Operation::logical_and:
      return kAnd;
    case Operation::logical_not:
      return kNot;
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::equal:
    case Operation::not_equal:
    case Operation::in:
    case Operation::not_in:
      return kComparison;
    case Operation::add:
    case Operation::subtract:
      return kSum;
    case Operation::multiply:
    case Operation::divide:
      return kProduct;
    case Operation::negate:
      return kNegation;
    default:
      return kAtom;
  }
}

const char* word_of(Operation operation) {
  switch (operation) {
    case Operation::logical_or:
      return " or ";
    case Operation::logical_and:
      return " and ";
    case Operation::less:
      return " < ";
    case Operation::less_equal:
      return " <= ";
    case Operation::greater:
      return " > ";
    case Operation::greater_equal:
      return " >= ";
    case Operation::equal:
      return " == ";
    case Operation::not_equal:
      return " != ";
    case Operation::in:
      return " in ";
    case Operation::not_in:
      return " not in ";
    case Operation::add:
      return " + ";
    case Operation::subtract:
      return " - ";
    case Operation::multiply:
      return " * ";
    case Operation::divide:
      return " / ";
    default:
      return ", ";
  }
}

const char* function_of(Operation operation) {
  return operation == Operation::minimum ? "min" : operation == Operation::maximum ? "max" : "abs";
}

std::string with_value(const std::string& name, const Result& result) {
  const auto* const value = std::get_if<Value>(&result);
  return name + " " + (value != nullptr ? to_readable_text(*value) : "unknown");
}

bool is_boolean(const Result& result) {
  const auto* const value = std::get_if<Value>(&result);
  return value != nullptr && std::holds_alternative<bool>(value->data);
}

std::vector<Result> results_of(const Expression& expression, const Lookup& lookup) {
  std::vector<Step> steps;
  evaluate(expression, lookup, &steps);
  std::vector<Result> results;
  results.reserve(steps.size());
  for (Step& step : steps) {
    results.push_back(std::move(step.result));
  }
  return results;
}

enum class Detail { whole, deciding };

// The text of every part of an expression, with the value that it has.
class PartTexts {
 public:
  PartTexts(const Expression& expression,
            const std::vector<Result>& results,
            const ShownName& shown,
            Detail detail)
      : tree_(expression.tree()),
        shown_(shown ? shown : ShownName(with_value)),
        detail_(detail),
        results_(results) {
    const std::size_t count = tree_.nodes.size();
    texts_.reserve(count);
    heads_.reserve(count);
    shown_operands_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {  // operands come before the operations that use them
      shown_operands_.push_back(operands_to_show(i));
      const std::vector<std::size_t>& operands = shown_operands_.back();
      heads_.push_back(is_junction(i) && operands.size() == 1 ? heads_[operands[0]] : i);
      texts_.push_back(text_of(i));
    }
  }

  const std::string& whole() const { return texts_.back(); }

  // Not recursive: a tree of 512 parts may be deep.
  std::vector<ExplainedPart> parts() const {
    struct Waiting {
      std::size_t node, level;
    };
    std::vector<ExplainedPart> parts;
    std::vector<Waiting> waiting = {{tree_.nodes.size() - 1, 0}};
    while (!waiting.empty()) {
      const Waiting next = waiting.back();
      waiting.pop_back();
      const Node& node = tree_.nodes[next.node];
      parts.push_back({texts_[next.node], results_[next.node], next.level});
      if (tightness(node.operation) <= kNot) {
        for (auto operand = node.operands.rbegin(); operand != node.operands.rend(); ++operand) {
          waiting.push_back({*operand, next.level + 1});
        }
      }
    }
    return parts;
  }

 private:
  std::string text_of(std::size_t index) const {
    const Node& node = tree_.nodes[index];
    switch (node.operation) {
      case Operation::literal:
        return tree_.text_of(node);
      case Operation::name:
        return shown_(node.name, results_[index]);
      case Operation::known:
        return known_text(index) + mark(index);
      case Operation::negate:
        return "-" + operand(node.operands[0], kNegation);
      case Operation::logical_not: {
        const std::size_t head = heads_[node.operands[0]];
        return is_known(head) ? "not " + known_text(head) + mark(index)
                              : "not " + operand(node.operands[0], kNot);
      }
      case Operation::list:
        return "[" + row(index, kOr) + "]";
      case Operation::minimum:
      case Operation::maximum:
      case Operation::absolute:
        return function_of(node.operation) + ("(" + row(index, kOr) + ")");
      default:
        return heads_[index] != index
                   ? texts_[heads_[index]]
                   : row(index, tightness(node.operation)) +
                         (tightness(node.operation) == kComparison ? mark(index) : "");
    }
  }

  bool is_known(std::size_t index) const {
    return tree_.nodes[index].operation == Operation::known;
  }

  bool is_junction(std::size_t index) const {
    const Operation operation = tree_.nodes[index].operation;
    return operation == Operation::logical_and || operation == Operation::logical_or;
  }

  // Whether something is known is only mentioned where nothing else decides.
  bool asks_for_presence(std::size_t index) const {
    const Node& node = tree_.nodes[heads_[index]];
    return node.operation == Operation::known ||
           (node.operation == Operation::logical_not && asks_for_presence(node.operands[0]));
  }

  // A true `or` is decided by its true operands, a false `and` by its false ones.
  std::vector<std::size_t> operands_to_show(std::size_t index) const {
    const Node& node = tree_.nodes[index];
    if (detail_ == Detail::whole || !is_junction(index) || !is_boolean(results_[index])) {
      return node.operands;
    }
    std::vector<std::size_t> deciding, further;
    for (const std::size_t operand : node.operands) {
      if (is_boolean(results_[operand]) && holds(operand) == holds(index)) {
        (asks_for_presence(operand) ? further : deciding).push_back(operand);
      }
    }
    return deciding.empty() ? further : deciding;
  }

  bool holds(std::size_t index) const {
    return std::get<bool>(std::get<Value>(results_[index]).data);
  }

  std::string known_text(std::size_t index) const {
    return "known(" + tree_.nodes[index].name + ")";
  }

  std::string operand(std::size_t index, int least) const {
    const bool loose = tightness(tree_.nodes[heads_[index]].operation) < least;
    return loose ? "(" + texts_[index] + ")" : texts_[index];
  }

  // a - (b - c) and a / (b * c) keep their brackets: the right operand must bind tighter.
  std::string row(std::size_t index, int least) const {
    const std::vector<std::size_t>& operands = shown_operands_[index];
    std::string text;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_right = i > 0 && least >= kComparison && least < kAtom;
      text += (i == 0 ? "" : word_of(tree_.nodes[index].operation)) +
              operand(operands[i], least + (is_right ? 1 : 0));
    }
    return text;
  }

  std::string mark(std::size_t index) const {
    if (!is_boolean(results_[index])) {
      return "";
    }
    return holds(index) ? " ✓" : " ✗";
  }

  const Tree& tree_;
  ShownName shown_;
  Detail detail_;
  const std::vector<Result>& results_;
  std::vector<std::string> texts_;
  std::vector<std::vector<std::size_t>> shown_operands_;
  std::vector<std::size_t>
      heads_;  // the node whose operation is shown: its own, or that of its only shown operand
};

}  // namespace

std::string substituted(const Expression& expression,
                        const Lookup& lookup,
                        const ShownName& shown) {
  const std::vector<Result> results = results_of(expression, lookup);
  return PartTexts(expression, results, shown, Detail::whole).whole();
}

Explanation explain(const Expression& expression, const Lookup& lookup, const ShownName& shown) {
  const std::vector<Result> results = results_of(expression, lookup);
  return {PartTexts(expression, results, shown, Detail::whole).parts(),
          PartTexts(expression, results, shown, Detail::deciding).whole()};
}

}  // namespace tune::expression
