#pragma once

#include "rule/rule.h"

#include <string>
#include <string_view>

namespace tune {

/// reports/schema/rule.schema.json, embedded.
extern const std::string_view kRuleSchemaText;

}  // namespace tune

namespace tune::rule {

/// What rule files are called in complaints.
constexpr scenario::DocumentKind kRuleKind = {
    .one = "a rule", .many = "rules", .see = "see `tune schema rule`"};

/// One rule file, as far as it can be read; everything that is wrong with it is added. Throws what
/// `complaints` holds when it is no YAML.
Rule read_rule(const std::string& text, const std::string& file, scenario::Complaints& complaints);

/// The same alone. `file` is named in complaints, and its stem must be the id. Throws tune::Error
/// with everything that is wrong with it, each with file:line:col.
Rule read_rule(const std::string& text, const std::string& file);

}  // namespace tune::rule
