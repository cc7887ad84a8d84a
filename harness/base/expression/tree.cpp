#include "base/expression/tree.h"

#include <algorithm>

namespace tune::expression {

namespace {

using Kind = Type::Kind;

std::string plain_text(const Type& type) {
  const bool counted = type.kind == Kind::number && type.dimension == Dimension{};
  return (counted ? "a " : "") + to_text(type);
}

std::optional<Type> refuse(std::string& problem, std::string text) {
  problem = std::move(text);
  return std::nullopt;
}

// Every operand must have the type that the first one needs.
std::optional<Type> all_boolean(const char* word,
                                const std::vector<Type>& operands,
                                std::string& problem) {
  for (const Type& type : operands) {
    if (type.kind != Kind::boolean) {
      return refuse(problem,
                    "`" + std::string(word) + "` needs true or false, not " + plain_text(type));
    }
  }
  return Type{.kind = Kind::boolean};
}

std::optional<Type> all_numbers(const char* action,
                                const std::vector<Type>& operands,
                                std::string& problem) {
  for (const Type& type : operands) {
    if (type.kind != Kind::number) {
      return refuse(problem, "cannot " + std::string(action) + " " + plain_text(type));
    }
  }
  return operands.front();
}

std::optional<Type> same_dimension(const char* action,
                                   const std::vector<Type>& operands,
                                   std::string& problem) {
  const auto type = all_numbers(action, operands, problem);
  for (const Type& operand : operands) {
    if (type && !(operand.dimension == type->dimension)) {
      return refuse(problem,
                    "cannot " + std::string(action) + " " + plain_text(*type) + " with " +
                        plain_text(operand));
    }
  }
  return type;
}

std::optional<Type> compared(const std::vector<Type>& operands, std::string& problem) {
  const Type& left = operands[0];
  const Type& right = operands[1];
  if (left.kind == Kind::list || right.kind == Kind::list) {
    return refuse(problem, "cannot compare with a list, use `in`");
  }
  if (!left.same_as(right)) {
    return refuse(problem, "cannot compare " + plain_text(left) + " with " + plain_text(right));
  }
  return Type{.kind = Kind::boolean};
}

std::optional<Type> ordered(const std::vector<Type>& operands, std::string& problem) {
  if (!compared(operands, problem)) {
    return std::nullopt;
  }
  if (operands[0].kind != Kind::number) {
    return refuse(problem, plain_text(operands[0]) + " has no order");
  }
  return Type{.kind = Kind::boolean};
}

std::optional<Type> searched(const std::vector<Type>& operands, std::string& problem) {
  const Type& value = operands[0];
  const Type& list = operands[1];
  if (list.kind != Kind::list) {
    return refuse(problem, "`in` needs a list on its right, not " + plain_text(list));
  }
  const bool fits = list.element.empty() ||
                    (list.element.front() == value.kind && list.dimension == value.dimension);
  if (!fits || value.kind == Kind::list) {
    return refuse(problem, "cannot look for " + plain_text(value) + " in " + plain_text(list));
  }
  return Type{.kind = Kind::boolean};
}

std::optional<Type> listed(const std::vector<Type>& operands, std::string& problem) {
  Type list{.kind = Kind::list};
  for (const Type& type : operands) {
    if (type.kind == Kind::list) {
      return refuse(problem, "a list cannot contain lists");
    }
    if (!type.same_as(operands.front())) {
      return refuse(problem,
                    "a list contains one type, not " + plain_text(operands.front()) + " and " +
                        plain_text(type));
    }
    list.element = {type.kind};
    list.dimension = type.dimension;
  }
  return list;
}

std::optional<Type> combined(int sign, const std::vector<Type>& operands, std::string& problem) {
  auto type = all_numbers(sign > 0 ? "multiply" : "divide", operands, problem);
  if (type) {
    const Dimension& right = operands[1].dimension;
    type->dimension.time += sign * right.time;
    type->dimension.bytes += sign * right.bytes;
    type->dimension.temperature += sign * right.temperature;
  }
  return type;
}

}  // namespace

std::optional<Type> result_type(Operation operation,
                                const std::vector<Type>& operands,
                                std::string& problem) {
  switch (operation) {
    case Operation::list:
      return listed(operands, problem);
    case Operation::negate:
      return all_numbers("negate", operands, problem);
    case Operation::logical_not:
      return all_boolean("not", operands, problem);
    case Operation::logical_and:
      return all_boolean("and", operands, problem);
    case Operation::logical_or:
      return all_boolean("or", operands, problem);
    case Operation::add:
      return same_dimension("add", operands, problem);
    case Operation::subtract:
      return same_dimension("subtract", operands, problem);
    case Operation::multiply:
      return combined(1, operands, problem);
    case Operation::divide:
      return combined(-1, operands, problem);
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
      return ordered(operands, problem);
    case Operation::equal:
    case Operation::not_equal:
      return compared(operands, problem);
    case Operation::in:
    case Operation::not_in:
      return searched(operands, problem);
    case Operation::minimum:
    case Operation::maximum:
      return same_dimension("compare", operands, problem);
    case Operation::absolute:
      return all_numbers("take the absolute value of", operands, problem);
    case Operation::literal:
    case Operation::name:
    case Operation::known:
      break;
  }
  return refuse(problem, "no operation");
}

}  // namespace tune::expression
