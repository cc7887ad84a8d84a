#include "trial/own_model_json.h"

#include "trial/knob_json.h"
#include "trial/plugin_knob.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <utility>
#include <variant>

namespace tune::trial {

namespace {

using nlohmann::json;

constexpr std::size_t kMostValues = 64;
constexpr std::size_t kMostDimensions = 8;
constexpr std::int64_t kLongestDimension = 1'000'000'000;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// cpu_list is none of a plug-in's.
const char* word_of(Knob::Kind kind) {
  return kind == Knob::Kind::boolean   ? "boolean"
         : kind == Knob::Kind::integer ? "integer"
                                       : "choice";
}

Knob read_declared_knob(JsonObject& object) {
  Knob knob;
  knob.name = object.text("name", 128);
  if (!is_plugin_knob(knob.name)) {
    complain(object.where(), object.path_of("name"), "is no name of a plug-in's knob");
  }
  const std::string kind = object.word("kind", {"boolean", "integer", "choice"});
  knob.kind = kind == "boolean"   ? Knob::Kind::boolean
              : kind == "integer" ? Knob::Kind::integer
                                  : Knob::Kind::choice;
  knob.min = object.whole("min", {-kMost, kMost});
  knob.max = object.whole("max", {-kMost, kMost});
  knob.choices = object.text_list("choices", kMostValues);
  knob.summary = object.text("summary");
  knob.default_value =
      read_knob_value(object.any("default"), object.where(), object.path_of("default"));
  if (const std::string problem = complaint_about(knob, knob.default_value); !problem.empty()) {
    complain(object.where(), object.path_of("default"), problem);
  }
  return knob;
}

}  // namespace

json to_value(const OwnModel& model) {
  if (!model.exists()) {
    return nullptr;
  }
  const bool is_plugin = model.kind == OwnModel::Kind::plugin;
  return {{"kind", is_plugin ? "plugin" : "torchscript"},
          {"path", model.path},
          {"input", model.input},
          {"loss", model.loss},
          {"sha256", model.sha256},
          {"input_type", model.takes_tokens() ? "int64" : "float32"}};
}

OwnModel read_own_model(JsonObject object) {
  OwnModel model;
  model.kind = object.word("kind", {"torchscript", "plugin"}) == "plugin"
                   ? OwnModel::Kind::plugin
                   : OwnModel::Kind::torchscript;
  model.path = object.text("path");
  model.input = object.whole_list("input", kMostDimensions, {1, kLongestDimension});
  model.loss = object.word("loss", {"cross-entropy", "mse"});
  model.sha256 = object.text("sha256", 64);
  // Specs of before there were tokens lack it.
  const bool is_int64 =
      object.has("input_type") && object.word("input_type", {"float32", "int64"}) == "int64";
  model.input_type = is_int64 ? OwnModel::InputType::int64 : OwnModel::InputType::float32;
  object.expect_no_more();
  return model;
}

KnobSettings read_values(JsonObject& object, const char* name) {
  KnobSettings values;
  if (!object.has(name)) {  // specs of before there were any
    return values;
  }
  const json& all = object.any(name);
  const std::string path = object.path_of(name);
  if (!all.is_object() || all.size() > kMostValues) {
    complain(object.where(), path, "is not an object of at most 64 values");
  }
  for (const auto& [key, value] : all.items()) {
    std::string place = path;
    place += ".";
    place += key;
    values.emplace(key, read_knob_value(value, object.where(), place));
  }
  return values;
}

json declared_knobs_to_value(const std::vector<Knob>& knobs) {
  json list = json::array();
  for (const Knob& knob : knobs) {
    list.push_back(
        {{"name", knob.name},
         {"kind", word_of(knob.kind)},
         {"default", std::visit([](const auto& plain) { return json(plain); }, knob.default_value)},
         {"min", knob.min},
         {"max", knob.max},
         {"choices", knob.choices},
         {"summary", knob.summary}});
  }
  return list;
}

std::vector<Knob> read_declared_knobs(JsonObject& reply, const char* name) {
  std::vector<Knob> knobs;
  reply.each(
      name, kMostValues, [&](JsonObject& object) { knobs.push_back(read_declared_knob(object)); });
  return knobs;
}

}  // namespace tune::trial
