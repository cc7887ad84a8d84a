#pragma once

#include "measure/history/series.h"
#include "measure/history/trend.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

// The history over runs in the same words for terminal and reports.

/// Eight heights from the lowest value to the highest, oldest first, one character a value; where
/// there are more values than columns, medians of neighbours. A range below a tenth of the largest
/// size is drawn in the middle of one that is that large, so that noise stays small. "" without
/// values.
std::string sparkline(const std::vector<double>& values, std::size_t most_columns);

/// The values of a series, oldest first.
std::vector<double> values_of(const history::Series& series);

/// A value of a metric with its unit: "58.3 samples/s", "12.5 %", "340 MiB".
std::string trend_value_text(double value, const std::string& unit);

/// "run 37 of 2026-11-20", "this run".
std::string point_name(const history::Point& point);

/// "+12.3 % since run 37 of 2026-11-20 (1347 samples/s -> 1513 samples/s; LibTorch 2.10.0 ->
/// 2.11.0)"; says so where nothing that is recorded differs.
std::string change_sentence(const history::Series& series, const history::Change& change);

/// "41 runs since 2026-10-01: 1290 to 1520 samples/s, last 1513 samples/s"; needs a point.
std::string range_sentence(const history::Series& series);

}  // namespace tune::report
