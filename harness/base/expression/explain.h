#pragma once

#include "base/expression/expression.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tune::expression {

/// A part of an expression that is true, false or unknown, as people read it.
struct ExplainedPart {
  std::string text;       ///< with values: "data_wait_ratio 0.31 > 5 % ✓"
  Result result;          ///< true, false, or why that cannot be said
  std::size_t level = 0;  ///< how deep it stands: the whole is 0
};

/// What stands for a name: by default its name and its value, "data_wait_ratio 0.31".
using ShownName = std::function<std::string(const std::string& name, const Result& result)>;

/// The expression with the values that its names have, every comparison marked ✓ or ✗, and so
/// `known(name)` and `not known(name)` as a whole; the value of what is unknown reads `unknown`:
/// "h2d_exposed_ratio 0.06 >= 3 % ✓ and device_slots unknown < 2".
std::string substituted(const Expression& expression,
                        const Lookup& lookup,
                        const ShownName& shown = {});

/// Why an expression is true, false or unknown.
struct Explanation {
  /// As substituted() for every part that is true or false, the whole first, then its parts from
  /// left to right. One element when the expression has no such parts.
  std::vector<ExplainedPart> parts;
  /// What of it made the whole true or false: of an `or` that holds the parts that do, of an `and`
  /// that does not hold those that do not, and whether something is known only where nothing else
  /// decides. All of it where the whole is unknown.
  std::string deciding;
};

/// The expression is evaluated once.
Explanation explain(const Expression& expression,
                    const Lookup& lookup,
                    const ShownName& shown = {});

}  // namespace tune::expression
