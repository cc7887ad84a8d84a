#include "scenario/check_schema.h"

#include "base/assert.h"
#include "scenario/explain_schema.h"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <utility>

namespace tune::scenario {

namespace {

nlohmann::json to_json(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return nullptr;
    case YamlNode::Kind::boolean:
      return node.flag;
    case YamlNode::Kind::whole:
      return node.whole;
    case YamlNode::Kind::real:
      return node.real;
    case YamlNode::Kind::text:
      return node.text;
    case YamlNode::Kind::list: {
      auto list = nlohmann::json::array();
      for (const YamlNode& item : node.items) {
        list.push_back(to_json(item));
      }
      return list;
    }
    case YamlNode::Kind::map:
      break;
  }
  auto map = nlohmann::json::object();
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    map.emplace(node.keys[i].name, to_json(node.items[i]));
  }
  return map;
}

}  // namespace

struct Schema::Compiled {
  nlohmann::json json;
  valijson::Schema schema;
  // Keeps the patterns that it has compiled.
  valijson::Validator validator = valijson::Validator(valijson::Validator::kStrongTypes);
};

Schema::Schema(std::string_view text) {
  auto compiled = std::make_unique<Compiled>();
  compiled->json = nlohmann::json::parse(text);
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(compiled->json), compiled->schema);
  compiled_ = std::move(compiled);
}

Schema::~Schema() = default;

void Schema::check(const YamlNode& root, Complaints& complaints) const {
  const nlohmann::json document = to_json(root);
  const valijson::adapters::NlohmannJsonAdapter target(document);
  valijson::ValidationResults results;
  if (compiled_->validator.validate(compiled_->schema, target, &results)) {
    return;
  }
  Complaints explained = complaints;
  SchemaExplainer(compiled_->json, explained).explain(root);
  if (explained.count() == complaints.count()) {  // a keyword that the explainer has no words for
    valijson::ValidationResults::Error error;
    TUNE_ASSERT(results.popError(error));
    std::string path;
    for (const std::string& step : error.context) {
      path += step;
    }
    explained.add(root.mark, path + " does not fit the schema", error.description);
  }
  complaints = std::move(explained);
}

void check_schema(const YamlNode& root, Complaints& complaints) {
  static const Schema schema(kScenarioSchemaText);
  schema.check(root, complaints);
}

}  // namespace tune::scenario
