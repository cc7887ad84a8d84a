#pragma once

#include "metric/metric.h"
#include "report/role_bars.h"
#include "report/text_table.h"
#include "table/table.h"

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

/// Those metrics of a comparison that have a value; all of them are ratios.
TextTable metric_table(const std::vector<metric::Metric>& metrics);

/// "collective_wait_ratio is not known: ...", one line for each of the others.
std::vector<std::string> unknown_lines(const std::vector<metric::Metric>& metrics);

}  // namespace tune::report
