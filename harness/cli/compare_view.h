#pragma once

#include "cli/terminal.h"
#include "report/run_comparison.h"

#include <string>

namespace tune::cli {

// What `tune compare` prints.

/// What was compared and what differs, one table for each pair of cells, and that it is no verdict;
/// where the terminal is too narrow for intervals, without them.
std::string comparison_text(const report::RunComparison& comparison, const Terminal& terminal);

/// The same as one JSON document, schema "tune-compare/1"; ratios change by their difference, all
/// else relatively (0.1 = +10 %).
std::string comparison_json(const report::RunComparison& comparison);

/// --plain: cell of A, cell of B, metric, unit, value, lower and upper of A, of B, change, what B
/// is; one line a metric.
std::string comparison_rows(const report::RunComparison& comparison);

/// What is to be known beside rows that have no room for it: differences, notes, no verdict.
std::string comparison_remarks(const report::RunComparison& comparison);

}  // namespace tune::cli
