#pragma once

#include "scenario/complaints.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tune::scenario {

struct YamlKey {
  std::string name;
  Mark mark;
};

/// A value of a YAML file, typed by YAML 1.2's core schema (yes is a text), with its place.
struct YamlNode {
  enum class Kind { null, boolean, whole, real, text, list, map };

  Kind kind = Kind::null;
  Mark mark;
  bool flag = false;             ///< of a boolean
  std::int64_t whole = 0;        ///< of a whole number
  double real = 0;               ///< of a real number
  std::string text;              ///< of every scalar, as written
  std::int64_t text_column = 1;  ///< where the text begins: after the quote, if there is one
  std::vector<YamlNode> items;   ///< of a list; of a map, its values
  std::vector<YamlKey> keys;     ///< of a map: keys[i] belongs to items[i]; all different

  /// Null when this is not a map or has no such key.
  const YamlNode* find(std::string_view key) const;
};

/// Whether both say the same. Places aside; the order of keys says nothing.
bool equal_values(const YamlNode& a, const YamlNode& b);

/// A map without some of its keys; of what is not a map, or null, one without any.
YamlNode without_keys(const YamlNode* map, const std::function<bool(const std::string&)>& is_out);

/// "a whole number", "a list": for complaints.
std::string to_text(YamlNode::Kind kind);

/// Types a plain (unquoted) scalar by YAML 1.2's core schema. yaml-cpp would read yes as true and
/// 010 as 8. Complains about what other readers understand otherwise, and about numbers that do not
/// fit.
void type_plain_scalar(YamlNode& node, Complaints& complaints);

}  // namespace tune::scenario
