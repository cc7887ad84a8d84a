#include "report/json_parts.h"

#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <utility>
#include <variant>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) {
  const auto known = finite(value);
  return known ? Json(*known) : Json(nullptr);
}

Json number_or_null(const std::optional<double>& value) {
  return value ? number_or_null(*value) : Json(nullptr);
}

}  // namespace

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

void put_or_reason(Json& object, const std::string& name, Json value, const std::string& reason) {
  const bool is_known = !value.is_null();
  object[name] = std::move(value);
  object[name + "_reason"] = is_known ? Json(nullptr) : Json(reason);
}

Json to_json(const campaign::Estimate& estimate, const std::string& unit) {
  const bool has_interval = estimate.lower && estimate.upper && is_finite(estimate);
  Json json;
  json["value"] = number_or_null(estimate.value);
  json["lower"] = has_interval ? number_or_null(estimate.lower) : Json(nullptr);
  json["upper"] = has_interval ? number_or_null(estimate.upper) : Json(nullptr);
  json["confidence"] = has_interval ? number_or_null(estimate.confidence) : Json(nullptr);
  json["n"] = estimate.n;
  json["unit"] = unit;
  json["reason"] = nullptr;
  if (json["value"].is_null()) {
    json["reason"] = "the value is not a finite number";
  } else if (!has_interval) {
    json["reason"] = "no interval: it needs at least 2 values, n = " + std::to_string(estimate.n);
  }
  return json;
}

Json to_json(const campaign::SteadyTally& tally) {
  return {{"trials", tally.trials},
          {"weak", tally.weak},
          {"not_steady", tally.not_steady},
          {"label", text_or_null(tally.label())},
          {"why", text_or_null(tally.text("trials"))}};
}

Json to_json(const trial::KnobSettings& knobs) {
  Json json = Json::object();
  for (const auto& [name, value] : knobs) {
    json[name] = std::visit(
        [](const auto& plain) -> Json {
          using Plain = std::decay_t<decltype(plain)>;
          if constexpr (std::is_same_v<Plain, double>) {
            return number_or_null(plain);
          } else {
            return plain;
          }
        },
        value);
  }
  return json;
}

}  // namespace tune::report
