#pragma once

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <fstream>
#include <string>

namespace tune::report {

/// "" when a result.json fits its schema, else every complaint.
inline std::string complaint(const nlohmann::json& document) {
  std::ifstream file(std::string(SOURCE_DIR) + "/reports/schema/result.schema.json");
  const auto text = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  valijson::ValidationResults results;
  valijson::Validator().validate(
      schema, valijson::adapters::NlohmannJsonAdapter(document), &results);
  valijson::ValidationResults::Error error;
  std::string found;
  while (results.popError(error)) {
    for (const std::string& step : error.context) {
      found += step;
    }
    found += ": " + error.description + "\n";
  }
  return found;
}

}  // namespace tune::report
