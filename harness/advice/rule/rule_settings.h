#pragma once

#include "advice/rule/catalog.h"
#include "scenario/read_parts.h"

#include <string>
#include <vector>

namespace tune::rule {

/// What the `rules:` of a scenario say: takes out rules that are switched off, and replaces limits.
/// Throws tune::Error with every complaint, each with file:line:col: an id or a limit that does not
/// exist, a limit of another unit.
void apply_settings(const std::vector<scenario::RuleSetting>& settings,
                    const std::string& file,
                    Catalog& catalog);

}  // namespace tune::rule
