#pragma once

#include "scenario/complaints.h"
#include "scenario/yaml_node.h"

#include <memory>
#include <string_view>

namespace tune {

/// reports/schema/scenario.schema.json, embedded.
extern const std::string_view kScenarioSchemaText;

}  // namespace tune

namespace tune::scenario {

/// A JSON Schema (draft-07) for YAML files, compiled once. For one thread at a time.
class Schema {
 public:
  explicit Schema(std::string_view text);
  ~Schema();
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;

  /// Complains about all that does not fit, in words.
  void check(const YamlNode& root, Complaints& complaints) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// Checks a scenario against its schema.
void check_schema(const YamlNode& root, Complaints& complaints);

}  // namespace tune::scenario
