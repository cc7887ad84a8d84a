#include "result/measurement.h"

#include "base/fields.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace tune::result {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

void role_times(Fields& fields, const char* name, RoleTimes& times) {
  if (fields.stored() != nullptr) {
    fields.each_member(name, [&times](const std::string& role, const json& ns) {
      times.emplace_back(role, ns.is_number_integer() ? ns.get<std::int64_t>() : 0);
    });
  } else if (ordered_json* const output = fields.output()) {
    ordered_json& object = (*output)[name];
    for (const auto& [role, ns] : times) {
      object[role] = ns;
    }
  }
}

// NaN is written as null.
void curve(Fields& fields, const char* name, std::vector<double>& curve) {
  if (const json* const stored = fields.stored(name)) {
    for (const json& point : stored->is_array() ? *stored : json::array()) {
      curve.push_back(point.is_number() ? point.get<double>()
                                        : std::numeric_limits<double>::quiet_NaN());
    }
  } else if (ordered_json* const output = fields.output()) {
    (*output)[name] = curve;
  }
}

}  // namespace

void fields_of(Fields& fields, Metric& metric) {
  Number& number = metric.number;
  fields.text("id", metric.id);
  metric.is_of_trace = fields.has("warnings", metric.is_of_trace);
  number.is_there = true;
  if (metric.is_of_trace) {
    fields.text("unit", number.unit);
    value_and_interval(fields, number);
    fields.real("confidence", number.confidence);
    fields.whole("n", number.n);
    fields.text_or_null("cell", metric.cell);
    fields.text("window", metric.window);
    fields.text_or_null("reason", number.reason);
    fields.text_list("warnings", metric.warnings);
    return;
  }
  fields_of(fields, number);
  fields.text("cell", metric.cell);
  fields.text("window", metric.window);
}

static void fields_of(Fields& fields, Partition& partition) {
  fields.whole("total_ns", partition.total_ns);
  role_times(fields, "exposed_ns", partition.exposed_ns);
  role_times(fields, "overlapped_ns", partition.overlapped_ns);
}

static void fields_of(Fields& fields, RefusedOption& refused) {
  fields.text("option", refused.option);
  fields.text("reason", refused.reason);
}

static void fields_of(Fields& fields, Recording& recording) {
  fields.whole("steps", recording.steps);
  fields.whole("events", recording.events);
  fields.whole("memory_events", recording.memory_events);
  fields.whole("lost_events", recording.lost_events);
  fields.whole("lost_inputs", recording.lost_inputs);
  fields.flag("cap_reached", recording.cap_reached);
  fields.whole("peak_bytes", recording.peak_bytes);
  fields.whole("file_bytes", recording.file_bytes);
  fields.list("refused", recording.refused);
}

static void fields_of(Fields& fields, Column& column) {
  fields.text("id", column.id);
  fields.text("title", column.title);
  fields.text("unit", column.unit);
}

// A row is an object with one member per column.
static void rows_of(Fields& fields, Table& table) {
  fields.entries("rows",
                 std::numeric_limits<std::size_t>::max(),
                 table.rows.size(),
                 [&](Fields& entry, std::size_t i) {
                   if (i == table.rows.size()) {
                     table.rows.emplace_back();
                   }
                   table.rows[i].resize(table.columns.size());
                   for (std::size_t column = 0; column < table.columns.size(); ++column) {
                     value(entry, table.columns[column].id.c_str(), table.rows[i][column]);
                   }
                 });
}

void fields_of(Fields& fields, Table& table) {
  fields.text("id", table.id);
  fields.text("title", table.title);
  fields.list("columns", table.columns);
  rows_of(fields, table);
  fields.text_list("notes", table.notes);
  fields.whole("left_out", table.left_out);
  fields.text_or_null("reason", table.reason);
}

void fields_of(Fields& fields, Profile& profile) {
  fields.text("cell", profile.cell);
  fields.text("trial", profile.trial);
  fields.text_or_reason("file", profile.file, profile.file_reason);
  fields.record("recording", profile.recording);
  fields.real("measured_step", profile.measured_step);
  fields.real("profiled_step", profile.profiled_step);
  fields.real_or_reason("dilation_ratio", profile.dilation_ratio, profile.dilation_reason);
  fields.record_or_reason("partition", profile.partition, profile.partition_reason);
  fields.list("metrics", profile.metrics);
  fields.list("tables", profile.tables);
  fields.text_list("warnings", profile.warnings);
}

static void fields_of(Fields& fields, Series& series) {
  fields.text("id", series.id);
  fields.text_or_null("label", series.label);
  fields.text("unit", series.unit);
  fields.real("mean", series.mean);
  fields.real("median", series.median);
  fields.real("min", series.min);
  fields.real("max", series.max);
  fields.whole("n", series.n);
  fields.text_or_null("reason", series.reason);
  curve(fields, "curve", series.curve);
}

static void fields_of(Fields& fields, Window& window) {
  fields.real("begin", window.begin);
  fields.real("end", window.end);
}

void fields_of(Fields& fields, Telemetry& telemetry) {
  fields.text("cell", telemetry.cell);
  fields.text("stage", telemetry.stage);
  fields.whole("trials", telemetry.trials);
  fields.text_or_null("reason", telemetry.reason);
  fields.text_or_null("curves_of", telemetry.curves_of);
  fields.record("window", telemetry.window);
  fields.real("cpu_ratio", telemetry.cpu_ratio);
  curve(fields, "times", telemetry.times);
  fields.list("series", telemetry.series);
}

static void fields_of(Fields& fields, LimitRow& row) {
  fields.text("id", row.id);
  fields.text_or_null("label", row.label);
  fields.text("unit", row.unit);
  fields.real("reached", row.reached);
  fields.real("limit", row.limit);
  fields.real("ratio", row.ratio);
  fields.text_or_null("reason", row.reason);
}

void fields_of(Fields& fields, Limits& limits) {
  fields.text("trial", limits.trial);
  fields.text("probed_utc", limits.probed_utc);
  fields.flag("quick", limits.quick);
  fields.list("rows", limits.rows);
}

}  // namespace tune::result
