#pragma once

#include "advice/rule/known_name.h"

#include <string_view>
#include <vector>

namespace tune::rule {

struct FurtherName {
  std::string_view name;
  KnownName known;
};

/// What rules may name beside metrics of a trace, knobs and facts of the machine: with its type and
/// where it comes from. A rule that uses one of them is not applicable wherever it is not
/// delivered.
const std::vector<FurtherName>& further_names();

/// Why nothing measures the name (Origin::nothing), and what would tell its value. "nothing
/// measures it yet" where there is no better answer.
const char* why_unmeasured(std::string_view name);

}  // namespace tune::rule
