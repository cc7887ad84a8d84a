#pragma once

#include "scenario/complaints.h"
#include "scenario/yaml_node.h"

#include <string_view>

namespace tune {

/// reports/schema/scenario.schema.json, embedded.
extern const std::string_view kScenarioSchemaText;

}  // namespace tune

namespace tune::scenario {

/// Checks a scenario against the JSON Schema and complains about all that does not fit, in words.
void check_schema(const YamlNode& root, Complaints& complaints);

}  // namespace tune::scenario
