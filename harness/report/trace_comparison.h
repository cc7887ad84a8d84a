#pragma once

#include "report/analysis_json.h"
#include "report/role_bars.h"
#include "trace/metric/metric.h"
#include "trace/table/table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

/// What several traces say beside each other: ranks of one job, or before and after.
struct TraceComparison {
  std::string title;
  std::string headline;
  RoleBars bars;  ///< a mean step of each trace; none where their parts cannot be compared
  std::vector<metric::Metric> metrics;
  std::vector<table::Table> tables;
  std::vector<std::string> remarks;  ///< files that were left out, what reading found
};

/// For a terminal of that width: tables, each with its first `rows` (0: all), metrics, remarks. The
/// headline is the caller's.
std::string to_lines(const TraceComparison& comparison, std::size_t width, std::size_t rows);

/// report.md.
std::string to_markdown(const TraceComparison& comparison);

/// report.html of `tune analyze` for several traces: ranks of a job, or before and after. Of
/// `record` the warnings and what reproduces it. As to_trace_html(): one file, at most 5 MB.
std::string to_comparison_html(const TraceComparison& comparison, const AnalysisRecord& record);

}  // namespace tune::report
