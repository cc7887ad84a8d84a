#pragma once

#include "result/number.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tune::result {

// What was measured and recorded.

/// A number with an id, of a cell or of a trace.
struct Metric {
  std::string id, cell, window;  ///< without a cell: from a trace
  Number number;
  bool is_of_trace = false;  ///< from recorded steps: it has warnings
  std::vector<std::string> warnings;
};

/// Wall time of one part of a step by role, in the order of the roles.
using RoleTimes = std::vector<std::pair<std::string, std::int64_t>>;

struct Partition {
  std::int64_t total_ns = 0;
  RoleTimes exposed_ns, overlapped_ns;
};

struct RefusedOption {
  std::string option, reason;
};

struct Recording {
  std::int64_t steps = 0, events = 0, memory_events = 0, lost_events = 0, lost_inputs = 0;
  bool cap_reached = false;
  std::int64_t peak_bytes = 0, file_bytes = 0;
  std::vector<RefusedOption> refused;
};

struct Column {
  std::string id, title, unit;
};

struct Table {
  std::string id, title;
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;
  std::vector<std::string> notes;
  std::int64_t left_out = 0;
  std::string reason;  ///< why it has no rows
};

/// The recorded steps of a cell.
struct Profile {
  std::string cell, trial;
  std::string file, file_reason;
  Recording recording;
  std::optional<double> measured_step, profiled_step;  ///< seconds
  std::optional<double> dilation_ratio;
  std::string dilation_reason;
  std::optional<Partition> partition;
  std::string partition_reason;
  std::vector<Metric> metrics;
  std::vector<Table> tables;
  std::vector<std::string> warnings;
};

/// One series recorded while a trial ran.
struct Series {
  std::string id, label, unit;
  std::optional<double> mean, median, min, max;
  std::int64_t n = 0;
  std::string reason;
  std::vector<double> curve;  ///< nan: not known
};

struct Window {
  std::optional<double> begin, end;  ///< seconds after the trial's start
};

struct Telemetry {
  std::string cell, stage;
  std::int64_t trials = 0;
  std::string reason, curves_of;
  std::optional<Window> window;
  std::optional<double> cpu_ratio;
  std::vector<double> times;
  std::vector<Series> series;
};

/// How close a trial came to one limit of the machine.
struct LimitRow {
  std::string id, label, unit;
  std::optional<double> reached, limit, ratio;
  std::string reason;
};

struct Limits {
  std::string trial, probed_utc;
  bool quick = false;
  std::vector<LimitRow> rows;
};

void fields_of(Fields& fields, Metric& metric);
void fields_of(Fields& fields, Table& table);
void fields_of(Fields& fields, Profile& profile);
void fields_of(Fields& fields, Telemetry& telemetry);
void fields_of(Fields& fields, Limits& limits);

}  // namespace tune::result
