#include "report/metric_json.h"

#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  const auto known = value ? finite(*value) : std::nullopt;
  return known ? Json(*known) : Json(nullptr);
}

}  // namespace

Json to_json(const metric::Metric& metric, Json cell) {
  Json json;
  json["id"] = metric.id;
  json["unit"] = metric.unit;
  json["value"] = number(metric.value);
  json["lower"] = number(metric.lower);
  json["upper"] = number(metric.upper);
  json["confidence"] = metric.lower ? number(metric.confidence) : Json(nullptr);
  json["n"] = metric.n;
  json["cell"] = std::move(cell);
  json["window"] = "profile";
  json["reason"] = text_or_null(metric.reason);
  json["warnings"] = metric.warnings;
  return json;
}

}  // namespace tune::report
