#pragma once

#include "base/expression/value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tune::expression {

struct Tree;

/// A three-valued expression, parsed once: `amp == 'fp16' and device == 'cpu'`. Cheap to copy.
/// Scenarios and rules share this evaluator; the grammar is in parse.cpp.
class Expression {
 public:
  Expression() = default;  ///< empty; must not be evaluated
  explicit Expression(std::shared_ptr<const Tree> tree);

  const std::string& text() const;         ///< as written
  std::vector<std::string> names() const;  ///< every name once, in the order written
  const Tree& tree() const;

 private:
  std::shared_ptr<const Tree> tree_;
};

/// What is wrong with an expression, and the byte of its text where it is wrong.
struct Complaint {
  std::size_t offset = 0;
  std::string problem, why, suggestion;
};

/// Where the text of an expression begins; complaints count columns from there.
struct Place {
  std::string file;
  std::int64_t line = 1, column = 1;
};

/// Returns nothing and adds a complaint when the text is not an expression.
std::optional<Expression> parse_expression(const std::string& text,
                                           std::vector<Complaint>& complaints);

/// Throws tune::Error "<file>:<line>:<col>: ...".
Expression parse_expression(const std::string& text, const Place& place);

using NameTypes = std::map<std::string, Type>;

/// The type of the expression. Returns nothing and adds complaints when a name is unknown or types
/// do not fit together.
std::optional<Type> check_expression(const Expression& expression,
                                     const NameTypes& names,
                                     std::vector<Complaint>& complaints);

/// Name -> value, or the reason why it is unknown.
using Lookup = std::function<Result(const std::string& name)>;

/// One part of an expression and its value.
struct Step {
  std::string text;
  Result result;
};

/// Evaluates everything, without short-circuiting, so that `trace` (when given) holds every part,
/// inner parts first. Throws tune::Error when values have other types than check_expression saw.
Result evaluate(const Expression& expression,
                const Lookup& lookup,
                std::vector<Step>* trace = nullptr);

}  // namespace tune::expression
