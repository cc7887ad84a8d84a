#include "telemetry/telemetry_json.h"

#include "trial/json_object.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace tune::telemetry {

namespace {

using Json = nlohmann::ordered_json;
using trial::JsonObject;

constexpr std::size_t kMostSeries = 10'000;
constexpr double kMost = 1e18;

double rounded(double value) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.5g", value);
  return std::strtod(text.data(), nullptr);
}

Json to_json(const SeriesSummary& series) {
  Json json;
  json["id"] = series.info.id;
  json["label"] = series.info.label;
  json["unit"] = series.info.unit;
  json["mean"] = number_or_null(series.mean);
  json["median"] = number_or_null(series.median);
  json["min"] = number_or_null(series.min);
  json["max"] = number_or_null(series.max);
  json["n"] = series.n;
  json["reason"] = series.reason.empty() ? Json(nullptr) : Json(series.reason);
  json["curve"] = numbers_or_nulls(series.curve);
  return json;
}

std::optional<double> read_number(JsonObject& object, const char* name) {
  return object.is_null(name) ? std::nullopt : std::optional(object.real(name, -kMost, kMost));
}

std::vector<double> read_curve(JsonObject& object, const char* name) {
  std::vector<double> curve;
  for (const nlohmann::json& value : object.list(name, TrialTelemetry::kMostPoints)) {
    if (!value.is_null() && !value.is_number()) {
      trial::complain(object.where(), object.path_of(name), "holds something that is no number");
    }
    curve.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                    : value.get<double>());
  }
  return curve;
}

SeriesSummary read_series(JsonObject& object) {
  constexpr std::size_t kLongestWord = 128;
  SeriesSummary series;
  series.info.id = object.text("id", kLongestWord);
  series.info.label = object.text("label", kLongestWord);
  series.info.unit = object.text("unit", kLongestWord);
  series.mean = read_number(object, "mean");
  series.median = read_number(object, "median");
  series.min = read_number(object, "min");
  series.max = read_number(object, "max");
  series.n = object.whole("n", {0, 1'000'000});
  series.reason = object.is_null("reason") ? "" : object.text("reason");
  series.curve = read_curve(object, "curve");
  return series;
}

constexpr std::int64_t kLatestNs = std::int64_t{1} << 60;

}  // namespace

Json number_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(rounded(*value)) : Json(nullptr);
}

Json numbers_or_nulls(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(number_or_null(value));
  }
  return list;
}

std::string to_json(const TrialTelemetry& telemetry) {
  Json json;
  json["schema"] = kTelemetrySchema;
  json["start_ns"] = telemetry.start_ns;
  json["window"] = nullptr;
  if (telemetry.window) {
    json["window"] = {{"begin_ns", telemetry.window->begin_ns},
                      {"end_ns", telemetry.window->end_ns}};
  }
  json["samples"] = telemetry.samples;
  json["cpus"] = telemetry.cpus;
  json["cpu_ratio"] = number_or_null(telemetry.cpu_ratio);
  json["times"] = numbers_or_nulls(telemetry.times_s);
  json["series"] = Json::array();
  for (const SeriesSummary& series : telemetry.series) {
    json["series"].push_back(to_json(series));
  }
  // Names of devices may hold any bytes.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

TrialTelemetry parse_trial_telemetry(std::string_view text, const std::string& where) {
  const nlohmann::json parsed = trial::parse_json(text, where);
  JsonObject object(parsed, where, "");
  const std::string schema = object.text("schema", 64);
  if (schema != kTelemetrySchema) {
    const std::string ours(kTelemetrySchema);
    trial::complain(where, "schema", "is '" + schema + "', this version of tune reads " + ours);
  }
  TrialTelemetry telemetry;
  telemetry.start_ns = object.whole("start_ns", {0, kLatestNs});
  if (!object.is_null("window")) {
    JsonObject window = object.object("window");
    telemetry.window =
        Span{window.whole("begin_ns", {0, kLatestNs}), window.whole("end_ns", {0, kLatestNs})};
  }
  telemetry.samples = object.whole("samples", {0, 1'000'000'000});
  telemetry.cpus = object.whole("cpus", {0, 1'000'000});
  telemetry.cpu_ratio = object.real("cpu_ratio", 0, kMost);
  telemetry.times_s = read_curve(object, "times");
  object.each("series", kMostSeries, [&](JsonObject& entry) {
    telemetry.series.push_back(read_series(entry));
    const std::size_t points = telemetry.series.back().curve.size();
    if (points != 0 && points != telemetry.times_s.size()) {
      trial::complain(where, entry.path_of("curve"), "has not one value for each of `times`");
    }
  });
  return telemetry;
}

}  // namespace tune::telemetry
