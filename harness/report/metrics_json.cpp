#include "report/cell_times.h"
#include "report/json_parts.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using campaign::CampaignResult;
using campaign::CellResult;

constexpr const char* kConfirm = "confirm";

// {id, unit, value, lower, upper, confidence, n, cell, window, reason}
Json metric(const char* id,
            const campaign::Estimate& estimate,
            const char* unit,
            const std::string& cell,
            const std::string& window) {
  Json json;
  json["id"] = id;
  json.update(to_json(estimate, unit));
  json["cell"] = cell;
  json["window"] = window;
  return json;
}

// One number for all rounds: its largest, which has no interval.
Json peak(const char* id, double value, const char* unit, const CellResult& cell) {
  Json json = metric(id, {.value = value, .n = cell.rounds}, unit, cell.cell.id, cell.stage);
  json["reason"] = "the largest of all rounds has no interval";
  return json;
}

void add_peak_memory(const CampaignResult& result, const CellResult& cell, Json& metrics) {
  if (!cell.peak_memory_bytes) {
    return;
  }
  const auto bytes = static_cast<double>(*cell.peak_memory_bytes);
  Json peak_bytes = peak("peak_memory_bytes", bytes, "B", cell);
  peak_bytes["value"] = *cell.peak_memory_bytes;  // whole
  metrics.push_back(std::move(peak_bytes));
  const std::int64_t limit_bytes = result.machine.memory_limit_bytes;
  Json ratio = peak("peak_memory_ratio",
                    limit_bytes > 0 ? bytes / static_cast<double>(limit_bytes) : 0,
                    "ratio",
                    cell);
  if (limit_bytes <= 0) {
    ratio["value"] = nullptr;
    ratio["reason"] = "the memory limit of this machine is not known";
  }
  metrics.push_back(std::move(ratio));
}

// Samples of the data set ÷ throughput: the bounds change places.
Json epoch_time(const CampaignResult& result, const CellResult& cell) {
  const campaign::Estimate& rate = *cell.throughput;
  const std::int64_t count = result.data.samples;
  const auto samples = static_cast<double>(count);
  campaign::Estimate time{
      .value = samples / rate.value, .confidence = rate.confidence, .n = rate.n};
  if (rate.lower && rate.upper) {
    time.lower = samples / *rate.upper;
    time.upper = samples / *rate.lower;
  }
  Json json = metric("epoch_time", time, "s", cell.cell.id, cell.stage);
  if (count <= 0) {
    for (const char* field : {"value", "lower", "upper", "confidence"}) {
      json[field] = nullptr;
    }
    json["reason"] = "the number of samples of an epoch is not known";
  } else if (json["reason"].is_null()) {
    json["reason"] =
        "computed: samples of the data set / throughput; what an epoch costs at its beginning and "
        "end "
        "is not measured yet";
  }
  return json;
}

void add_cell(const CampaignResult& result, const CellResult& cell, Json& metrics) {
  const std::string& id = cell.cell.id;
  if (cell.throughput) {
    metrics.push_back(metric("throughput", *cell.throughput, "samples/s", id, cell.stage));
    metrics.push_back(epoch_time(result, cell));
  }
  const CellTimes times = cell_times(result, id);
  if (const auto step = estimate_of(times.step_seconds)) {
    metrics.push_back(metric("step_time", *step, "s", id, cell.stage));
  }
  if (const auto wait = estimate_of(times.data_wait_ratios)) {
    metrics.push_back(metric("data_wait_ratio", *wait, "ratio", id, cell.stage));
  }
  add_peak_memory(result, cell, metrics);
}

}  // namespace

Json metrics_json(const CampaignResult& result) {
  Json metrics = Json::array();
  for (const CellResult& cell : result.cells) {
    add_cell(result, cell, metrics);
  }
  if (result.confirmation && result.confirmation->pairs > 0) {
    const campaign::Confirmation& fresh = *result.confirmation;
    metrics.push_back(metric("throughput", fresh.baseline, "samples/s", "baseline", kConfirm));
    metrics.push_back(metric("throughput", fresh.best, "samples/s", fresh.cell, kConfirm));
  }
  return metrics;
}

}  // namespace tune::report
