#include "trial/knob_json.h"

#include "base/fields.h"
#include "trial/knob_catalog.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <variant>

namespace tune::trial {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostValues = 64;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

ordered_json to_json(const KnobValue& value) {
  return std::visit([](const auto& plain) { return ordered_json(plain); }, value);
}

}  // namespace

KnobValue read_knob_value(const json& value, const std::string& where, const std::string& path) {
  if (value.is_boolean()) {
    return value.get<bool>();
  }
  if (value.is_number_integer()) {
    return read_whole(value, {-kMost, kMost}, where, path);
  }
  if (value.is_number_float()) {
    return value.get<double>();
  }
  if (value.is_string()) {
    return value.get<std::string>();
  }
  complain(where, path, "is not a knob's value");
}

void value_of(Fields& fields, const char* name, KnobValue& value) {
  if (ordered_json* output = fields.output()) {
    (*output)[name] = to_json(value);
  } else {
    JsonObject& input = *fields.input();
    value = read_knob_value(input.any(name), input.where(), input.path_of(name));
  }
}

void values_of(Fields& fields, const char* name, KnobSettings& values) {
  if (ordered_json* output = fields.output()) {
    ordered_json& object = (*output)[name] = ordered_json::object();
    for (const auto& [key, value] : values) {
      object[key] = to_json(value);
    }
    return;
  }
  const json& all = fields.input()->any(name);
  const std::string path = fields.input()->path_of(name);
  fields.expect(
      all.is_object() && all.size() <= kMostValues, name, "is not an object of at most 64 values");
  for (const auto& [key, value] : all.items()) {
    std::string place = path;
    place += ".";
    place += key;
    values.emplace(key, read_knob_value(value, fields.input()->where(), place));
  }
}

void fields_of(Fields& fields, Knob& knob) {
  using Kind = Knob::Kind;  // a plug-in has no cpu_list
  fields.text("name", knob.name, 128);
  fields.expect(is_plugin_knob(knob.name), "name", "is not a name of a plug-in's knob");
  fields.word<Kind>(
      "kind",
      knob.kind,
      {{"boolean", Kind::boolean}, {"integer", Kind::integer}, {"choice", Kind::choice}});
  value_of(fields, "default", knob.default_value);
  fields.whole("min", knob.min, {-kMost, kMost});
  fields.whole("max", knob.max, {-kMost, kMost});
  fields.text_list("choices", knob.choices, kMostValues);
  fields.text("summary", knob.summary);
  if (fields.input() != nullptr) {
    const std::string problem = complaint_about(knob, knob.default_value);
    fields.expect(problem.empty(), "default", problem);
  }
}

}  // namespace tune::trial
