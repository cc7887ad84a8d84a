#pragma once

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <fstream>
#include <string>

namespace tune::report {

/// "" when the document fits the JSON Schema of a file (relative to the source tree), else every
/// complaint.
inline std::string complaint_by(const std::string& schema_file, const nlohmann::json& document) {
  std::ifstream file(std::string(SOURCE_DIR) + "/" + schema_file);
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

/// The same of a result.json and its schema.
inline std::string complaint(const nlohmann::json& document) {
  return complaint_by("reports/schema/result.schema.json", document);
}

}  // namespace tune::report
