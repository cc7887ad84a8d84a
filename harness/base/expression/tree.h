#pragma once

#include "base/expression/value.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tune::expression {

enum class Operation {
  literal,
  name,
  list,
  negate,
  logical_not,
  logical_and,
  logical_or,
  add,
  subtract,
  multiply,
  divide,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  in,
  not_in,
  known,
  minimum,
  maximum,
  absolute
};

struct Node {
  Operation operation = Operation::literal;
  std::size_t begin = 0, end = 0;     ///< bytes of the text
  std::vector<std::size_t> operands;  ///< indexes of nodes that come earlier
  Value literal;
  std::string name;  ///< of `name` and `known`
};

/// Operands come before the operations that use them; the last node is the whole expression.
struct Tree {
  std::string text;
  std::vector<Node> nodes;

  std::string text_of(const Node& node) const {
    return text.substr(node.begin, node.end - node.begin);
  }
};

/// The type of an operation's result for operands of these types; nothing, and the reason, when
/// they do not fit together. Not for literal, name and known, which have no operands.
std::optional<Type> result_type(Operation operation,
                                const std::vector<Type>& operands,
                                std::string& problem);

}  // namespace tune::expression
