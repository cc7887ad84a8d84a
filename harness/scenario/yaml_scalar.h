#pragma once

#include "scenario/complaints.h"
#include "scenario/yaml_node.h"

#include <string>

namespace tune::scenario {

/// Types a plain (unquoted) scalar by YAML 1.2's core schema. yaml-cpp would read yes as true and
/// 010 as 8. Complains about what other readers understand otherwise, and about numbers that do not
/// fit.
void type_plain_scalar(YamlNode& node, Complaints& complaints);

}  // namespace tune::scenario
