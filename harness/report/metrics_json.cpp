#include "report/cell_times.h"
#include "report/json_parts.h"
#include "report/latency_text.h"

#include <nlohmann/json.hpp>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
using campaign::CampaignResult;
using campaign::CellResult;

constexpr const char* kConfirm = "confirm";
constexpr const char* kEpoch = "epoch";

constexpr const char* kEpochTime = "epoch_time";
constexpr const char* kWholeEpoch = "whole_epoch_time";
constexpr const char* kEpochDifference = "epoch_time_difference_ratio";  // computed / whole - 1

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

// A metric that could not be had, with the reason.
Json missing(const char* id,
             const char* unit,
             const std::string& cell,
             const std::string& window,
             const std::string& reason) {
  Json json = metric(id, {}, unit, cell, window);
  for (const char* field : {"value", "lower", "upper", "confidence"}) {
    json[field] = nullptr;
  }
  json["reason"] = reason;
  return json;
}

// Of the rounds that rank the cells: what it assumes stands in the reason, where the interval
// leaves room for it.
Json ranked_epoch(const CellTimes& times, const CellResult& cell) {
  const std::string& id = cell.cell.id;
  const auto seconds = estimate_of(times.epoch_seconds);
  if (!seconds) {
    return missing(
        kEpochTime, "s", id, cell.stage, "the number of samples of an epoch is not known");
  }
  Json json = metric(kEpochTime, *seconds, "s", id, cell.stage);
  if (json["reason"].is_null()) {
    json["reason"] = text_or_null(times.epoch_warning);
  }
  return json;
}

// Of the fresh trials, beside one whole epoch where one was run.
void add_epoch(const campaign::EpochResult& epoch, Json& metrics) {
  if (epoch.computed) {
    metrics.push_back(metric(kEpochTime, *epoch.computed, "s", epoch.cell, kConfirm));
    if (metrics.back()["reason"].is_null()) {
      metrics.back()["reason"] = text_or_null(epoch.warning);
    }
  } else {
    metrics.push_back(missing(kEpochTime, "s", epoch.cell, kConfirm, epoch.reason));
  }
  if (!epoch.check) {
    metrics.push_back(missing(kWholeEpoch, "s", epoch.cell, kEpoch, epoch.reason));
    metrics.push_back(missing(kEpochDifference, "ratio", epoch.cell, kEpoch, epoch.reason));
    return;
  }
  metrics.push_back(
      metric(kWholeEpoch, {.value = epoch.check->measured_s, .n = 1}, "s", epoch.cell, kEpoch));
  metrics.push_back(metric(
      kEpochDifference, {.value = epoch.check->difference(), .n = 1}, "ratio", epoch.cell, kEpoch));
}

// Of single steps: one number for all rounds.
void add_latency(const CampaignResult& result, const CellResult& cell, Json& metrics) {
  for (const LatencyPercentile& each : latency_percentiles(result, cell.cell.id)) {
    if (!each.seconds) {
      metrics.push_back(missing(each.id, "s", cell.cell.id, cell.stage, too_few_steps(each)));
      continue;
    }
    const campaign::Estimate estimate{.value = *each.seconds, .n = each.steps};
    metrics.push_back(metric(each.id, estimate, "s", cell.cell.id, cell.stage));
    metrics.back()["reason"] = "a percentile of the steps of all rounds has no interval";
  }
}

void add_cell(const CampaignResult& result, const CellResult& cell, Json& metrics) {
  const std::string& id = cell.cell.id;
  const CellTimes times = cell_times(result, id);
  if (cell.throughput) {
    metrics.push_back(metric("throughput", *cell.throughput, "samples/s", id, cell.stage));
    metrics.push_back(ranked_epoch(times, cell));
  }
  if (const auto step = estimate_of(times.step_seconds)) {
    metrics.push_back(metric("step_time", *step, "s", id, cell.stage));
  }
  if (const auto wait = estimate_of(times.data_wait_ratios)) {
    metrics.push_back(metric("data_wait_ratio", *wait, "ratio", id, cell.stage));
  }
  add_latency(result, cell, metrics);
  add_peak_memory(result, cell, metrics);
}

// What the machine did meanwhile: one number a trial.
void add_telemetry(const telemetry::CellTelemetry& cell, Json& metrics) {
  for (const telemetry::CellMetric& each : cell.metrics) {
    const auto estimate = estimate_of(each.values);
    metrics.push_back(
        estimate ? metric(each.id.c_str(), *estimate, each.unit.c_str(), cell.cell, cell.stage)
                 : missing(each.id.c_str(), each.unit.c_str(), cell.cell, cell.stage, each.reason));
  }
}

// One short trial each, before the search: no interval.
void add_ceiling(const campaign::Ceiling& ceiling, Json& metrics) {
  constexpr const char* kUnit = "samples/s";
  constexpr const char* kWindow = "ceiling";
  if (!ceiling.rate) {
    metrics.push_back(missing(ceiling.id.c_str(), kUnit, "baseline", kWindow, ceiling.reason));
    return;
  }
  const campaign::Estimate rate{.value = *ceiling.rate, .n = 1};
  metrics.push_back(metric(ceiling.id.c_str(), rate, kUnit, "baseline", kWindow));
}

// Of the one process that looked for it: no interval. Nothing where the scenario says how long the
// warm-up is.
void add_warmup(const campaign::WarmupFound& warmup, Json& metrics) {
  constexpr const char* kTimeToSteady = "time_to_steady";
  constexpr const char* kWindow = "warmup";
  if (!warmup.time_to_steady_ns) {
    metrics.push_back(missing(kTimeToSteady, "s", "baseline", kWindow, warmup.text));
    return;
  }
  const double seconds = static_cast<double>(*warmup.time_to_steady_ns) * 1e-9;
  metrics.push_back(metric(kTimeToSteady, {.value = seconds, .n = 1}, "s", "baseline", kWindow));
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
  for (const campaign::EpochResult& epoch : result.epochs) {
    add_epoch(epoch, metrics);
  }
  if (result.warmup) {
    add_warmup(*result.warmup, metrics);
  }
  for (const campaign::Ceiling& ceiling : result.ceilings) {
    add_ceiling(ceiling, metrics);
  }
  for (const telemetry::CellTelemetry& cell : result.telemetry) {
    add_telemetry(cell, metrics);
  }
  return metrics;
}

}  // namespace tune::report
