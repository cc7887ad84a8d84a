#include "scenario/yaml_node.h"

#include <cstddef>

namespace tune::scenario {

const YamlNode* YamlNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) {
      return &items[i];
    }
  }
  return nullptr;
}

bool equal_values(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size() ||
      a.keys.size() != b.keys.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    const YamlNode* const other =
        a.kind == YamlNode::Kind::map ? b.find(a.keys[i].name) : &b.items[i];
    if (other == nullptr || !equal_values(a.items[i], *other)) {
      return false;
    }
  }
  return true;
}

YamlNode without_keys(const YamlNode* map, const std::function<bool(const std::string&)>& is_out) {
  YamlNode rest{.kind = YamlNode::Kind::map};
  for (std::size_t i = 0; map != nullptr && i < map->keys.size(); ++i) {
    if (!is_out(map->keys[i].name)) {
      rest.keys.push_back(map->keys[i]);
      rest.items.push_back(map->items[i]);
    }
  }
  return rest;
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
