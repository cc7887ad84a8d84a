#pragma once

#include "advice/finding.h"
#include "advice/rule/catalog.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tune::cli {

/// One line a rule: id, group, severity, title.
std::string list_text(const rule::Catalog& catalog);

/// The same tab-separated, without a heading.
std::string list_rows(const rule::Catalog& catalog);

/// {"rules": [{id, group, title, question, severity, guidance, numerics, needs, file}]}.
std::string list_json(const rule::Catalog& catalog);

/// What a rule looks at, when it fires, what it proposes.
std::string rule_text(const rule::Rule& rule);

/// How a rule came to what it says of a run: state, every part of its condition with its values,
/// evidence with limits, gain.
std::string explanation_text(const advice::Finding& finding);

}  // namespace tune::cli
