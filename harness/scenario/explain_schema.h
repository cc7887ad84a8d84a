#pragma once

#include "scenario/complaints.h"
#include "scenario/yaml_node.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tune::scenario {

/// The validator's own messages cannot be read ("Object contains a property that could not be
/// validated ..."), so the part of the schema that a value breaks is put into words here.
class SchemaExplainer {
 public:
  SchemaExplainer(const nlohmann::json& schema, Complaints& complaints);

  void explain(const YamlNode& root);

 private:
  const nlohmann::json& resolve(const nlohmann::json& schema) const;
  void explain(const nlohmann::json& schema, const YamlNode& node, const std::string& path);
  void explain_type(const nlohmann::json& schema, const YamlNode& node, const std::string& path);
  void explain_word(const nlohmann::json& schema, const YamlNode& node, const std::string& path);
  void explain_number(const nlohmann::json& schema, const YamlNode& node, const std::string& path);
  void explain_list(const nlohmann::json& schema, const YamlNode& node, const std::string& path);
  void explain_map(const nlohmann::json& schema, const YamlNode& node, const std::string& path);
  void explain_key_name(const nlohmann::json& schema, const YamlKey& key, const std::string& path);
  void explain_key(const nlohmann::json& known, const YamlKey& key, const std::string& path);

  const nlohmann::json& schema_;
  Complaints& complaints_;
};

}  // namespace tune::scenario
