#pragma once

#include "advice/diagnosis.h"
#include "report/recorded_script.h"
#include "trace/critical_path.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/table/table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::report {

/// What `tune analyze` found in one trace, and how it was asked.
struct TraceAnalysis {
  const metric::TraceInput& input;
  std::vector<metric::Metric> metrics;
  std::vector<table::Table> tables;      ///< all of table::table_names()
  std::vector<profile::WhatIf> what_if;  ///< of the critical path; empty when it was not asked
  const advice::Diagnosis* diagnosis = nullptr;  ///< what the rules say; null: none was asked
  const RecordedScript* script = nullptr;        ///< where tune recorded the trace itself
  std::int64_t read_ns = 0;                      ///< wall time of reading the file
  std::int64_t examine_ns = 0;                   ///< of everything after it
  std::string tune_version, commit;
  std::vector<std::string> command;
  std::string directory;    ///< where the reports are written; "" when nowhere
  std::string started_utc;  ///< ISO 8601
};

}  // namespace tune::report
