// The JSON Schema repeats the catalogues, because editors read only the schema. Here they are
// compared.

#include "scenario/check_schema.h"
#include "trial/knob_catalog.h"
#include "trial/workload_catalog.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace tune::scenario {
namespace {

using nlohmann::json;
using Names = std::set<std::string>;

const json& schema() {
  static const json parsed = json::parse(kScenarioSchemaText);
  return parsed;
}

const json& definition(const std::string& knob) {
  return schema().at("definitions").at("knob_" + knob);
}

Names keys_of(const json& object) {
  Names names;
  for (const auto& [name, value] : object.items()) {
    names.insert(name);
  }
  return names;
}

Names knob_names() {
  Names names;
  for (const trial::Knob& knob : trial::all_knobs()) {
    names.insert(knob.name);
  }
  return names;
}

std::string type_of(const trial::Knob& knob) {
  using Kind = trial::Knob::Kind;
  return knob.kind == Kind::boolean ? "boolean" : knob.kind == Kind::integer ? "integer" : "string";
}

TEST(ScenarioSchema, BaselineAndGridHaveTheKnobsOfTheCatalogue) {
  Names expected = knob_names();
  expected.insert("environment");  // variables, by their own names
  EXPECT_EQ(keys_of(schema().at("properties").at("baseline").at("properties")), expected);
  EXPECT_EQ(keys_of(schema().at("properties").at("grid").at("properties")), expected);
  Names defined;
  for (const std::string& name : keys_of(schema().at("definitions"))) {
    if (name.starts_with("knob_")) {
      defined.insert(name.substr(5));
    }
  }
  EXPECT_EQ(defined, knob_names());
}

TEST(ScenarioSchema, EveryKnobIsSpelledByItsOwnDefinition) {
  for (const std::string& name : knob_names()) {
    const json here = {{"$ref", "#/definitions/knob_" + name}};
    EXPECT_EQ(schema().at("properties").at("baseline").at("properties").at(name), here);
    EXPECT_EQ(schema().at("properties").at("grid").at("properties").at(name).at("items"), here);
  }
}

TEST(ScenarioSchema, KnobsHaveTheTypesRangesChoicesAndDefaultsOfTheCatalogue) {
  for (const trial::Knob& knob : trial::all_knobs()) {
    SCOPED_TRACE(knob.name);
    const json& defined = definition(knob.name);
    EXPECT_EQ(defined.at("type"), type_of(knob));
    std::visit([&](const auto& value) { EXPECT_EQ(defined.at("default"), value); },
               knob.default_value);
    const bool is_integer = knob.kind == trial::Knob::Kind::integer;
    EXPECT_EQ(defined.contains("minimum"), is_integer);
    EXPECT_EQ(defined.contains("maximum"), is_integer);
    if (is_integer) {
      EXPECT_EQ(defined.at("minimum"), knob.min);
      EXPECT_EQ(defined.at("maximum"), knob.max);
    }
    EXPECT_EQ(defined.value("enum", std::vector<std::string>()), knob.choices);
  }
}

TEST(ScenarioSchema, ModelsAreThoseOfTheCatalogue) {
  std::vector<std::string> models;
  for (const trial::WorkloadEntry& workload : trial::all_workloads()) {
    models.push_back(workload.name);
  }
  EXPECT_EQ(schema()
                .at("/properties/workload/properties/model/enum"_json_pointer)
                .get<std::vector<std::string>>(),
            models);
}

}  // namespace
}  // namespace tune::scenario
