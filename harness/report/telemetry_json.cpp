#include "telemetry/telemetry_json.h"

#include "report/json_parts.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using telemetry::CellTelemetry;
using telemetry::SeriesSummary;

Json series_json(const SeriesSummary& series) {
  Json json;
  json["id"] = series.info.id;
  json["label"] = text_or_null(series.info.label);
  json["unit"] = series.info.unit;
  json["mean"] = telemetry::number_or_null(series.mean);
  json["median"] = telemetry::number_or_null(series.median);
  json["min"] = telemetry::number_or_null(series.min);
  json["max"] = telemetry::number_or_null(series.max);
  json["n"] = series.n;
  json["reason"] = text_or_null(series.reason);
  json["curve"] = telemetry::numbers_or_nulls(series.curve);
  return json;
}

Json window_json(const telemetry::TrialTelemetry& trial) {
  if (!trial.window) {
    return nullptr;
  }
  const auto seconds = [&](std::int64_t ns) {
    return telemetry::number_or_null(static_cast<double>(ns - trial.start_ns) * 1e-9);
  };
  return {{"begin", seconds(trial.window->begin_ns)}, {"end", seconds(trial.window->end_ns)}};
}

Json cell_json(const CellTelemetry& cell) {
  Json json;
  json["cell"] = cell.cell;
  json["stage"] = cell.stage;
  json["trials"] = cell.trials;
  json["reason"] = text_or_null(cell.reason);
  json["curves_of"] = text_or_null(cell.curves_of);
  json["window"] = window_json(cell.example);
  json["cpu_ratio"] = telemetry::number_or_null(cell.example.cpu_ratio);
  json["times"] = telemetry::numbers_or_nulls(cell.example.times_s);
  json["series"] = Json::array();
  for (const SeriesSummary& series : cell.example.series) {
    json["series"].push_back(series_json(series));
  }
  return json;
}

}  // namespace

Json telemetry_json(const campaign::CampaignResult& result) {
  if (result.telemetry.empty()) {
    return nullptr;
  }
  Json cells = Json::array();
  for (const CellTelemetry& cell : result.telemetry) {
    cells.push_back(cell_json(cell));
  }
  return cells;
}

}  // namespace tune::report
