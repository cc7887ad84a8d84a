#pragma once

#include "scenario/complaints.h"
#include "scenario/yaml_node.h"

#include <string>

namespace tune::scenario {

/// Reads untrusted YAML: at most 1 MiB of UTF-8, 16 levels, 20,000 values, one document, no
/// anchors, aliases or tags, no key twice. Throws what `complaints` holds when the text cannot be
/// read to its end; complaints about single values are added and the rest is returned.
YamlNode read_yaml(const std::string& text, Complaints& complaints);

/// The same of a text that must be right in every value: throws all complaints, which name `file`.
YamlNode read_faultless_yaml(const std::string& text, const std::string& file);

}  // namespace tune::scenario
