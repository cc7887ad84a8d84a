#include "history/kept_series.h"

#include "base/error.h"
#include "base/file.h"
#include "base/machine_error.h"
#include "history/entry.h"
#include "trial/json_object.h"

#include <nlohmann/json.hpp>

#include <system_error>
#include <utility>

namespace tune::history {

namespace {

using Json = nlohmann::ordered_json;
using trial::JsonObject;

constexpr double kLargest = 1e18;
constexpr std::int64_t kMost = 1'000'000'000'000;

Json point_json(const Point& point) {
  return {{"run", point.id},
          {"kind", point.kind},
          {"started", point.started_utc},
          {"value", point.value},
          {"commit", point.commit},
          {"torch_version", point.torch_version},
          {"worker_sha256", point.worker_sha256}};
}

Json gate_json(const PastGate& gate) {
  Json changes = Json::array();
  for (const PastChange& change : gate.changes) {
    changes.push_back({{"metric", change.metric}, {"ratio", change.ratio}});
  }
  return {{"run", gate.id},
          {"started", gate.started_utc},
          {"verdict", gate.verdict},
          {"reason", gate.reason},
          {"candidate", gate.candidate},
          {"changes", std::move(changes)}};
}

PastGate read_gate(JsonObject& object) {
  constexpr std::size_t kMostChanges = 100;
  PastGate gate;
  gate.id = object.whole("run", {0, kMost});
  gate.started_utc = object.text("started", 64);
  gate.verdict = object.text("verdict", 64);
  gate.reason = object.text("reason", kLongestText);
  gate.candidate = object.text("candidate", kLongestText);
  object.each("changes", kMostChanges, [&](JsonObject& each) {
    gate.changes.push_back({.metric = each.text("metric", kLongestText),
                            .ratio = each.real("ratio", -kLargest, kLargest)});
  });
  return gate;
}

Point read_point(JsonObject& object) {
  Point point;
  point.id = object.whole("run", {0, kMost});
  point.kind = object.word("kind", {"run", "gate"});
  point.started_utc = object.text("started", 64);
  point.value = object.real("value", -kLargest, kLargest);
  point.commit = object.text("commit", kLongestText);
  point.torch_version = object.text("torch_version", kLongestText);
  point.worker_sha256 = object.text("worker_sha256", kLongestText);
  return point;
}

}  // namespace

std::filesystem::path kept_series_file(const std::filesystem::path& run_directory) {
  return run_directory / "history.json";
}

std::string to_json(const Series& series) {
  Json points = Json::array();
  for (const Point& point : series.points) {
    points.push_back(point_json(point));
  }
  Json gates = Json::array();
  for (const PastGate& gate : series.gates) {
    gates.push_back(gate_json(gate));
  }
  Json json;
  json["schema"] = std::string(kSeriesSchema);
  json["scenario"] = series.scenario;
  json["machine"] = series.machine;
  json["subject"] = series.subject;
  json["metric"] = series.metric;
  json["unit"] = series.unit;
  json["runs"] = series.runs;
  json["last_started"] = series.last_started;
  json["points"] = std::move(points);
  json["gates"] = std::move(gates);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Series parse_series(std::string_view text, const std::string& where) {
  const nlohmann::json json = trial::parse_json(text, where);
  JsonObject object(json, where, "");
  if (const std::string schema = object.text("schema", 64); schema != kSeriesSchema) {
    throw Error(Error::Parts{where,
                             "is of another schema",
                             "this version of tune reads " + std::string(kSeriesSchema),
                             ""});
  }
  Series series;
  series.scenario = object.text("scenario", kLongestText);
  series.machine = object.text("machine", kLongestText);
  series.subject = object.text("subject", 64);
  series.metric = object.text("metric", kLongestText);
  series.unit = object.text("unit", kLongestText);
  series.runs = object.whole("runs", {0, kMost});
  series.last_started = object.text("last_started", 64);
  object.each(
      "points", kMostPoints, [&](JsonObject& each) { series.points.push_back(read_point(each)); });
  if (object.has("gates")) {  // older ones have none
    object.each(
        "gates", kMostGates, [&](JsonObject& each) { series.gates.push_back(read_gate(each)); });
  }
  return series;
}

std::optional<Series> load_kept_series(const std::filesystem::path& run_directory,
                                       std::string& problem) {
  const std::filesystem::path file = kept_series_file(run_directory);
  if (type_of_kept(file) == std::filesystem::file_type::not_found) {
    return std::nullopt;
  }
  try {
    return parse_series(read_kept_file(file), file.string());
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    problem = error.what();
    return std::nullopt;
  }
}

}  // namespace tune::history
