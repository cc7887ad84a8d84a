#pragma once

#include "base/expression/expression.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tune::expression {

/// A part of an expression that is true, false or unknown, as text for people.
struct ExplainedPart {
  std::string text;       ///< with values: "data_wait_ratio 0.31 > 5 % ✓"
  Result result;          ///< true, false, or why it is unknown
  std::size_t level = 0;  ///< nesting depth: the whole is 0
};

/// The text for a name: by default its name and its value, "data_wait_ratio 0.31".
using ShownName = std::function<std::string(const std::string& name, const Result& result)>;

/// The expression with the values of its names; every comparison, `known(name)` and `not
/// known(name)` is marked ✓ or ✗; an unknown value reads `unknown`: "h2d_exposed_ratio 0.06 >= 3 %
/// ✓ and device_slots unknown < 2".
std::string substituted(const Expression& expression,
                        const Lookup& lookup,
                        const ShownName& shown = {});

/// Why an expression is true, false or unknown.
struct Explanation {
  /// As substituted(), for every part that is true or false: the whole expression first, then its
  /// parts from left to right. One element when the expression has no such parts.
  std::vector<ExplainedPart> parts;
  /// The parts that made the whole true or false: the true parts of a true `or`, the false parts of
  /// a false `and`; whether something is known counts only where nothing else decides. All parts
  /// when the whole is unknown.
  std::string deciding;
};

/// The expression is evaluated once.
Explanation explain(const Expression& expression,
                    const Lookup& lookup,
                    const ShownName& shown = {});

}  // namespace tune::expression
