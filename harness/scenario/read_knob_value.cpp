#include "scenario/read_knob_value.h"

namespace tune::scenario {

std::optional<trial::KnobValue> to_knob_value(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::boolean:
      return node.flag;
    case YamlNode::Kind::whole:
      return node.whole;
    case YamlNode::Kind::real:
      return node.real;
    case YamlNode::Kind::text:
      return node.text;
    case YamlNode::Kind::null:
    case YamlNode::Kind::list:
    case YamlNode::Kind::map:
      break;
  }
  return std::nullopt;
}

// The schema repeats the catalogue for editors; the catalogue decides.
std::optional<trial::KnobValue> read_knob_value(const trial::Knob& knob,
                                                const YamlNode& node,
                                                Complaints& complaints) {
  auto value = to_knob_value(node);
  if (complaints.has(node.mark) || !value) {
    return std::nullopt;
  }
  const std::string complaint = trial::complaint_about(knob, *value);
  if (!complaint.empty()) {
    complaints.add(node.mark, quote(knob.name) + " " + complaint, "is " + quote(node.text));
    return std::nullopt;
  }
  return value;
}

std::optional<trial::KnobValue> read_plugin_value(const std::string& name,
                                                  const YamlNode& node,
                                                  Complaints& complaints) {
  auto value = to_knob_value(node);
  if (complaints.has(node.mark) || !value) {
    return std::nullopt;
  }
  if (std::holds_alternative<double>(*value)) {
    complaints.add(node.mark,
                   quote(name) + " must be true or false, a whole number or a word",
                   "is " + quote(node.text));
    return std::nullopt;
  }
  return value;
}

}  // namespace tune::scenario
