// What was recorded besides the measured windows of a run, as its result.json says it.

#include "machine/telemetry/telemetry_json.h"
#include "report/number_text.h"
#include "report/result_of.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::ProfiledCell;
using campaign::TraceNumbers;

constexpr std::size_t kMostRows = 50;  // of a table: the trace itself has the rest

result::Recording recording_of(const ProfiledCell& cell) {
  const trial::ProfileOutcome& outcome = cell.outcome;
  result::Recording recording{.steps = static_cast<std::int64_t>(outcome.step_ns.size()),
                              .events = outcome.events,
                              .memory_events = outcome.memory_events,
                              .lost_events = outcome.lost_events,
                              .lost_inputs = outcome.lost_inputs,
                              .cap_reached = outcome.cap_reached,
                              .peak_bytes = outcome.peak_bytes,
                              .file_bytes = outcome.file_bytes};
  for (const trial::RefusedOption& option : outcome.refused) {
    recording.refused.push_back({.option = option.option, .reason = option.reason});
  }
  return recording;
}

std::optional<result::Partition> partition_of(const TraceNumbers& trace) {
  if (!trace.partition) {
    return std::nullopt;
  }
  return result::Partition{.total_ns = trace.partition->total_ns(),
                           .exposed_ns = role_times_of(trace.partition->total.exposed_ns),
                           .overlapped_ns = role_times_of(trace.partition->total.overlapped_ns)};
}

result::Profile profile_of(const ProfiledCell& cell) {
  const std::string unread = cell.reason.empty() ? "the trace was not read" : cell.reason;
  result::Profile profile{.cell = cell.cell,
                          .trial = cell.trial,
                          .file = cell.file.string(),
                          .file_reason = cell.reason,
                          .recording = recording_of(cell),
                          .measured_step = finite(cell.measured_step_s),
                          .profiled_step = finite(cell.profiled_step_s),
                          .dilation_ratio = finite(cell.dilation),
                          .dilation_reason = "measured or recorded steps are missing",
                          .partition = cell.trace ? partition_of(*cell.trace) : std::nullopt,
                          .partition_reason = cell.trace ? cell.trace->partition_reason : unread};
  if (cell.trace) {
    for (const metric::Metric& metric : cell.trace->metrics) {
      profile.metrics.push_back(metric_of(metric, cell.cell));
    }
    for (const table::Table& table : cell.trace->tables) {
      if (table.id != "memory-timeline") {
        profile.tables.push_back(table_of(table, kMostRows));
      }
    }
    profile.warnings = cell.trace->warnings;
  }
  return profile;
}

// Five digits, which is more than any of them is worth.
std::optional<double> rounded(std::optional<double> value) {
  const nlohmann::ordered_json json = telemetry::number_or_null(value);
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

std::vector<double> rounded(const std::vector<double>& values) {
  std::vector<double> all;
  all.reserve(values.size());
  for (const double value : values) {
    all.push_back(rounded(std::optional(value)).value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return all;
}

result::Series series_of(const telemetry::SeriesSummary& series) {
  return {.id = series.info.id,
          .label = series.info.label,
          .unit = series.info.unit,
          .mean = rounded(series.mean),
          .median = rounded(series.median),
          .min = rounded(series.min),
          .max = rounded(series.max),
          .n = static_cast<std::int64_t>(series.n),
          .reason = series.reason,
          .curve = rounded(series.curve)};
}

result::Telemetry telemetry_of(const telemetry::CellTelemetry& cell) {
  const telemetry::TrialTelemetry& trial = cell.example;
  result::Telemetry telemetry{.cell = cell.cell,
                              .stage = cell.stage,
                              .trials = cell.trials,
                              .reason = cell.reason,
                              .curves_of = cell.curves_of,
                              .cpu_ratio = rounded(trial.cpu_ratio),
                              .times = rounded(trial.times_s)};
  if (trial.window) {
    const auto seconds = [&](std::int64_t ns) {
      return rounded(static_cast<double>(ns - trial.start_ns) * 1e-9);
    };
    telemetry.window = {.begin = seconds(trial.window->begin_ns),
                        .end = seconds(trial.window->end_ns)};
  }
  for (const telemetry::SeriesSummary& series : trial.series) {
    telemetry.series.push_back(series_of(series));
  }
  return telemetry;
}

void fill_limits(const CampaignResult& run, result::Result& result) {
  if (!run.diagnosis || !run.diagnosis->limits) {
    result.limits_reason = result::kNoRuleAsked;
    return;
  }
  const campaign::LimitUse& limits = *run.diagnosis->limits;
  result.limits_reason = limits.reason;
  if (!limits.reason.empty()) {
    return;
  }
  result.limits = {
      .trial = run.diagnosis->trial, .probed_utc = limits.probed_utc, .quick = limits.is_quick};
  for (const campaign::LimitRow& row : limits.rows) {
    result.limits->rows.push_back({.id = row.id,
                                   .label = row.label,
                                   .unit = row.unit,
                                   .reached = finite(row.reached),
                                   .limit = finite(row.limit),
                                   .ratio = finite(row.ratio),
                                   .reason = row.reason});
  }
}

const char* unit_of(table::Quantity quantity) {
  using table::Quantity;
  switch (quantity) {
    case Quantity::text:
      return "text";
    case Quantity::count:
      return "count";
    case Quantity::time_ns:
    case Quantity::time_change_ns:
      return "s";
    case Quantity::bytes:
      return "B";
    case Quantity::ratio:
      return "ratio";
    case Quantity::bytes_per_second:
      return "B/s";
    case Quantity::number:
      break;
  }
  return "1";
}

result::Value value_of(const table::Cell& cell, table::Quantity quantity) {
  using table::Quantity;
  constexpr double kSecondsPerNs = 1e-9;
  if (const auto* const text = std::get_if<std::string>(&cell)) {
    return {.data = *text};
  }
  if (const auto* const whole = std::get_if<std::int64_t>(&cell)) {
    const bool is_time = quantity == Quantity::time_ns || quantity == Quantity::time_change_ns;
    if (is_time) {
      return {.data = static_cast<double>(*whole) * kSecondsPerNs};
    }
    return {.data = *whole};
  }
  const auto* const real = std::get_if<double>(&cell);
  const auto finite_value = real == nullptr ? std::nullopt : finite(*real);
  return finite_value ? result::Value{.data = *finite_value} : result::Value();
}

}  // namespace

result::RoleTimes role_times_of(const profile::RoleTimes& times) {
  result::RoleTimes all;
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    all.emplace_back(profile::role_name(static_cast<profile::Role>(role)), times[role]);
  }
  return all;
}

result::Metric metric_of(const metric::Metric& metric, const std::string& cell) {
  return {.id = metric.id,
          .cell = cell,
          .window = "profile",
          .number = {.value = finite(metric.value),
                     .lower = finite(metric.lower),
                     .upper = finite(metric.upper),
                     .confidence = metric.confidence,
                     .n = metric.n,
                     .unit = metric.unit,
                     .reason = metric.reason},
          .is_of_trace = true,
          .warnings = metric.warnings};
}

result::Table table_of(table::Table table, std::size_t most_rows) {
  table::keep_top(table, most_rows);
  result::Table all{.id = table.id,
                    .title = table.title,
                    .notes = table.notes,
                    .left_out = static_cast<std::int64_t>(table.left_out),
                    .reason = table.reason};
  for (const table::Column& column : table.columns) {
    all.columns.push_back(
        {.id = column.id, .title = column.title, .unit = unit_of(column.quantity)});
  }
  for (const table::Row& row : table.rows) {
    std::vector<result::Value>& values = all.rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      values.push_back(value_of(row[i], table.columns[i].quantity));
    }
  }
  return all;
}

void fill_profiles(const CampaignResult& run, result::Result& result) {
  for (const ProfiledCell& cell : run.profiles) {
    result.profiles.push_back(profile_of(cell));
  }
  for (const telemetry::CellTelemetry& cell : run.telemetry) {
    result.telemetry.push_back(telemetry_of(cell));
  }
  if (run.telemetry.empty()) {
    result.telemetry_reason = "no trial recorded the machine";
  }
  fill_limits(run, result);
}

}  // namespace tune::report
