#pragma once

#include "expression/tree.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::expression {

/// The type that an operation gives for operands of these types; nothing, and why, when they do not
/// go together. Not for literal, name and known, which have no operands.
std::optional<Type> result_type(Operation operation,
                                const std::vector<Type>& operands,
                                std::string& problem);

}  // namespace tune::expression
