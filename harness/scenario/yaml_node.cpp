#include "scenario/yaml_node.h"

namespace tune::scenario {

const YamlNode* YamlNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) {
      return &items[i];
    }
  }
  return nullptr;
}

std::string to_text(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::null:
      return "empty";
    case YamlNode::Kind::boolean:
      return "true or false";
    case YamlNode::Kind::whole:
      return "a whole number";
    case YamlNode::Kind::real:
      return "a number";
    case YamlNode::Kind::text:
      return "text";
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::map:
      return "a map of keys and values";
  }
  return "";
}

}  // namespace tune::scenario
