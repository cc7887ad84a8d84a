#include "machine/telemetry/counter_rows.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tune::telemetry {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kProcess = "telemetry";  // not a number: those are processes and devices
constexpr double kNano = 1e-9, kNanoPerMicro = 1e3;

/// A point of the curves that overlaps the window.
struct Moment {
  std::size_t point = 0;
  double ts_us = 0;  ///< from the start of the window
};

std::vector<Moment> moments_of(const TrialTelemetry& telemetry, Span window) {
  std::vector<Moment> moments;
  moments.reserve(telemetry.times_s.size());
  const auto seconds_at = [&](std::int64_t ns) {
    return (static_cast<double>(ns) - static_cast<double>(telemetry.start_ns)) * kNano;
  };
  const double first_s = seconds_at(window.begin_ns), last_s = seconds_at(window.end_ns);
  double begin_s = 0;
  for (std::size_t i = 0; i < telemetry.times_s.size(); ++i) {
    const double end_s = telemetry.times_s[i];
    if (!std::isfinite(end_s) || end_s <= begin_s) {
      continue;
    }
    if (end_s > first_s && begin_s < last_s) {
      const double from_first_ns = std::round((std::max(begin_s, first_s) - first_s) / kNano);
      moments.push_back({i, from_first_ns / kNanoPerMicro});
    }
    begin_s = end_s;
  }
  return moments;
}

// Names of devices may contain any bytes.
std::string line_of(const Json& row) {
  return row.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void add(std::string& rows, const Json& row) {
  rows += rows.empty() ? "" : ",\n";
  rows += line_of(row);
}

std::string track_of(const SeriesInfo& info) {
  std::string name = info.id;
  name += " [";
  name += info.unit == "ratio" ? "%" : info.unit;
  return name += "]";
}

void add_series(const SeriesSummary& series,
                const std::vector<Moment>& moments,
                std::string& rows) {
  const double factor = series.info.unit == "ratio" ? 100 : 1;
  const std::string counter = series.info.label.empty() ? "value" : series.info.label;
  Json row = {{"ph", "C"}, {"name", track_of(series.info)}, {"pid", kProcess}, {"ts", 0}};
  for (const Moment& moment : moments) {
    if (moment.point < series.curve.size() && std::isfinite(series.curve[moment.point])) {
      row["ts"] = moment.ts_us;
      row["args"][counter] = series.curve[moment.point] * factor;
      add(rows, row);
    }
  }
}

}  // namespace

std::string counter_rows(const TrialTelemetry& telemetry, Span window) {
  const std::vector<Moment> moments = moments_of(telemetry, window);
  std::string rows;
  for (const SeriesSummary& series : telemetry.series) {
    add_series(series, moments, rows);
  }
  if (rows.empty()) {
    return rows;
  }
  Json process = {{"ph", "M"}, {"name", "process_name"}, {"pid", kProcess}, {"ts", 0}};
  process["args"]["name"] = "machine (telemetry of tune)";
  std::string all = line_of(process);
  all += ",\n";
  return all += rows;
}

}  // namespace tune::telemetry
