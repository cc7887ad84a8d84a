// The numbers of a run that have an id, as its result.json says them.

#include "measure/campaign/objective.h"
#include "report/cell_times.h"
#include "report/latency_text.h"
#include "report/rank_numbers.h"
#include "report/result_of.h"

#include <string_view>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;

constexpr const char* kConfirm = "confirm";
constexpr const char* kEpoch = "epoch";

constexpr const char* kEpochTime = "epoch_time";
constexpr const char* kWholeEpoch = "whole_epoch_time";
constexpr const char* kEpochDifference = "epoch_time_difference_ratio";  // computed / whole - 1

/// Where a metric was measured.
struct Place {
  std::string cell, window;
};

result::Metric metric(const std::string& id,
                      const stats::Number& estimate,
                      const std::string& unit,
                      const Place& place) {
  return {
      .id = id, .cell = place.cell, .window = place.window, .number = number_of(estimate, unit)};
}

// A metric that could not be had, with the reason.
result::Metric missing(const std::string& id,
                       const std::string& unit,
                       const Place& place,
                       const std::string& reason) {
  result::Metric none{.id = id, .cell = place.cell, .window = place.window};
  none.number.unit = unit;
  none.number.reason = reason;
  return none;
}

// One number for all rounds: its largest, which has no interval.
result::Metric peak(const char* id, double value, const char* unit, const CellResult& cell) {
  result::Metric metric =
      report::metric(id, {.value = value, .n = cell.rounds}, unit, {cell.cell.id, cell.stage});
  metric.number.reason = "the largest of all rounds has no interval";
  return metric;
}

void add_peak_memory(const CampaignResult& run,
                     const CellResult& cell,
                     std::vector<result::Metric>& metrics) {
  if (!cell.peak_memory_bytes) {
    return;
  }
  const auto bytes = static_cast<double>(*cell.peak_memory_bytes);
  metrics.push_back(peak("peak_memory_bytes", bytes, "B", cell));
  metrics.back().number.is_whole = true;
  const std::int64_t limit_bytes = run.machine.memory_limit_bytes;
  const double ratio = limit_bytes > 0 ? bytes / static_cast<double>(limit_bytes) : 0;
  metrics.push_back(peak("peak_memory_ratio", ratio, "ratio", cell));
  if (limit_bytes <= 0) {
    metrics.back().number.value = std::nullopt;
    metrics.back().number.reason = "the memory limit of this machine is not known";
  }
}

// From the rounds that rank the cells: what it assumes is in the reason, where the interval
// leaves room for it.
result::Metric ranked_epoch(const CellTimes& times, const CellResult& cell) {
  const Place place{cell.cell.id, cell.stage};
  const auto seconds = estimate_of(times.epoch_seconds);
  if (!seconds) {
    return missing(kEpochTime, "s", place, "the number of samples of an epoch is not known");
  }
  result::Metric epoch = metric(kEpochTime, *seconds, "s", place);
  if (epoch.number.reason.empty()) {
    epoch.number.reason = times.epoch_warning;
  }
  return epoch;
}

// From the fresh trials, next to one whole epoch where one was run.
void add_epoch(const campaign::EpochResult& epoch, std::vector<result::Metric>& metrics) {
  const Place confirm{epoch.cell, kConfirm}, whole{epoch.cell, kEpoch};
  if (epoch.computed) {
    metrics.push_back(metric(kEpochTime, *epoch.computed, "s", confirm));
    if (metrics.back().number.reason.empty()) {
      metrics.back().number.reason = epoch.warning;
    }
  } else {
    metrics.push_back(missing(kEpochTime, "s", confirm, epoch.reason));
  }
  if (!epoch.check) {
    metrics.push_back(missing(kWholeEpoch, "s", whole, epoch.reason));
    metrics.push_back(missing(kEpochDifference, "ratio", whole, epoch.reason));
    return;
  }
  metrics.push_back(metric(kWholeEpoch, {.value = epoch.check->measured_s, .n = 1}, "s", whole));
  metrics.push_back(
      metric(kEpochDifference, {.value = epoch.check->difference(), .n = 1}, "ratio", whole));
}

// From single steps: one number for all rounds.
void add_latency(const CampaignResult& run,
                 const CellResult& cell,
                 std::vector<result::Metric>& metrics) {
  for (const LatencyPercentile& each : latency_percentiles(run, cell.cell.id)) {
    const Place place{cell.cell.id, each.window};
    if (!each.seconds) {
      metrics.push_back(missing(each.id, "s", place, too_few_steps(each)));
      continue;
    }
    metrics.push_back(metric(each.id, {.value = *each.seconds, .n = each.steps}, "s", place));
    metrics.back().number.reason = "a percentile of the steps of all rounds has no interval";
  }
}

/// What its metrics are made of, looked up once: a run may have thousands of cells.
struct Measured {
  const CampaignResult& result;
  TrialsByCell trials;
  std::optional<double> sample_flops;
};

// What the GPU gives and takes: the use of its peak, its energy, and money where the scenario says
// what an hour costs.
void add_costs(const Measured& run, const Place& place, std::vector<result::Metric>& metrics) {
  constexpr double kHourS = 3600;
  std::vector<double> joules, prices, utilisations;
  for (const campaign::TrialRecord* const trial : trials_of(run.trials, place.cell, place.window)) {
    const trial::TrialReply& reply = *trial->outcome.reply;
    if (const auto energy = campaign::metric_value(
            "energy_per_sample", {trial->spec, reply, 0, trial->outcome.device_joules})) {
      joules.push_back(*energy);
    }
    if (const auto mfu = campaign::metric_value(
            "mfu", {.spec = trial->spec, .reply = reply, .sample_flops = run.sample_flops})) {
      utilisations.push_back(*mfu);
    }
    const auto epoch = campaign::epoch_time(reply, trial->spec);
    if (epoch && run.result.scenario.price_per_hour > 0) {
      prices.push_back(epoch->total_s / kHourS * run.result.scenario.price_per_hour);
    }
  }
  if (const auto energy = estimate_of(joules)) {
    metrics.push_back(metric("energy_per_sample", *energy, "J", place));
  }
  if (const auto mfu = estimate_of(utilisations)) {
    metrics.push_back(metric("mfu", *mfu, "ratio", place));
  }
  if (const auto price = estimate_of(prices)) {
    metrics.push_back(metric("epoch_cost", *price, "price", place));
  }
}

void add_devices(const CampaignResult& run,
                 const TrialsByCell& trials,
                 const CellResult& cell,
                 std::vector<result::Metric>& metrics) {
  const Place place{cell.cell.id, cell.stage};
  for (const RankNumber& each : rank_numbers(trials_of(trials, place.cell, place.window))) {
    metrics.push_back(
        metric(std::string(each.id), stats::number_of_samples(each.values), "ratio", place));
  }
  if (const auto efficiency = scaling_efficiency(run, cell)) {
    metrics.push_back(
        metric("scaling_efficiency", {.value = *efficiency, .n = cell.rounds}, "ratio", place));
    metrics.back().number.reason = "the quotient of two settings has no interval";
  }
}

void add_numbers(const CellTimes& times, const Place& place, std::vector<result::Metric>& metrics) {
  for (const CellNumber& each : cell_numbers()) {
    if (const auto estimate = estimate_of(times, each)) {
      metrics.push_back(metric(std::string(each.id), *estimate, std::string(each.unit), place));
    }
  }
}

void add_cell(const Measured& run, const CellResult& cell, std::vector<result::Metric>& metrics) {
  const Place place{cell.cell.id, cell.stage};
  const CellTimes times = cell_times(trials_of(run.trials, place.cell, place.window));
  if (cell.throughput) {
    metrics.push_back(metric("throughput", *cell.throughput, "samples/s", place));
    metrics.push_back(ranked_epoch(times, cell));
  }
  add_numbers(times, place, metrics);
  add_devices(run.result, run.trials, cell, metrics);
  add_costs(run, place, metrics);
  add_latency(run.result, cell, metrics);
  add_peak_memory(run.result, cell, metrics);
  if (cell.stage != kConfirm) {
    add_numbers(
        cell_times(trials_of(run.trials, place.cell, kConfirm)), {place.cell, kConfirm}, metrics);
  }
}

// What the machine did meanwhile: one number a trial.
void add_telemetry(const telemetry::CellTelemetry& cell, std::vector<result::Metric>& metrics) {
  const Place place{cell.cell, cell.stage};
  for (const telemetry::CellMetric& each : cell.metrics) {
    const auto estimate = estimate_of(each.values);
    metrics.push_back(estimate ? metric(each.id, *estimate, each.unit, place)
                               : missing(each.id, each.unit, place, each.reason));
  }
}

// One short trial each, before the search: no interval.
void add_ceiling(const campaign::Ceiling& ceiling, std::vector<result::Metric>& metrics) {
  const Place place{"baseline", "ceiling"};
  metrics.push_back(ceiling.rate
                        ? metric(ceiling.id, {.value = *ceiling.rate, .n = 1}, "samples/s", place)
                        : missing(ceiling.id, "samples/s", place, ceiling.reason));
}

// From the one process that looked for it: no interval. Nothing where the scenario says how long
// the warm-up is.
void add_warmup(const campaign::WarmupFound& warmup, std::vector<result::Metric>& metrics) {
  constexpr const char* kTimeToSteady = "time_to_steady";
  const Place place{"baseline", "warmup"};
  if (!warmup.time_to_steady_ns) {
    metrics.push_back(missing(kTimeToSteady, "s", place, warmup.text));
    return;
  }
  const double seconds = static_cast<double>(*warmup.time_to_steady_ns) * 1e-9;
  metrics.push_back(metric(kTimeToSteady, {.value = seconds, .n = 1}, "s", place));
}

}  // namespace

void fill_metrics(const CampaignResult& run, result::Result& result) {
  const Measured measured{run, completed_trials(run), campaign::sample_flops(run)};
  for (const CellResult& cell : run.cells) {
    add_cell(measured, cell, result.metrics);
  }
  if (run.confirmation && run.confirmation->pairs > 0) {
    const campaign::Confirmation& fresh = *run.confirmation;
    result.metrics.push_back(
        metric("throughput", fresh.baseline, "samples/s", {"baseline", kConfirm}));
    result.metrics.push_back(metric("throughput", fresh.best, "samples/s", {fresh.cell, kConfirm}));
  }
  for (const campaign::EpochResult& epoch : run.epochs) {
    add_epoch(epoch, result.metrics);
  }
  if (run.warmup) {
    add_warmup(*run.warmup, result.metrics);
  }
  for (const campaign::Ceiling& ceiling : run.ceilings) {
    add_ceiling(ceiling, result.metrics);
  }
  for (const telemetry::CellTelemetry& cell : run.telemetry) {
    add_telemetry(cell, result.metrics);
    if (cell.stage == kConfirm) {
      add_costs(measured, {cell.cell, cell.stage}, result.metrics);
    }
  }
}

}  // namespace tune::report
