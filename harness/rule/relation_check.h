#pragma once

#include "base/error.h"
#include "rule/rule.h"

#include <vector>

namespace tune::rule {

/// What is wrong between rules: an id twice, a rule that is named and does not exist, circles of
/// `explained_by` and of `mutes`.
std::vector<Error::Parts> check_relations(const std::vector<Rule>& rules);

}  // namespace tune::rule
