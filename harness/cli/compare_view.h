#pragma once

#include "cli/terminal.h"
#include "report/reason_code.h"
#include "report/run_comparison.h"

#include <string>
#include <vector>

namespace tune::cli {

// What `tune compare` prints.

/// Whether reason codes stand beside differences and relations (--explain).
enum class Codes { hidden, shown };

/// What was compared and what differs, one table for each pair of cells, and that it is not a
/// verdict; where the terminal is too narrow for intervals, without them.
std::string comparison_text(const report::RunComparison& comparison,
                            Codes codes,
                            const Terminal& terminal);

/// The same as one JSON document, schema "tune-compare/1"; ratios change by their difference, all
/// else relatively (0.1 = +10 %). Codes are always in it; where they are shown, also what they
/// mean.
std::string comparison_json(const report::RunComparison& comparison, Codes codes);

/// --plain: cell of A, cell of B, metric, unit, value, lower and upper of A, of B, change, what B
/// is, and its code where those are shown; one line a metric.
std::string comparison_rows(const report::RunComparison& comparison, Codes codes);

/// What is to be known beside rows that have no room for it: differences, notes, no verdict.
std::string comparison_remarks(const report::RunComparison& comparison, Codes codes);

/// "CPUs 4 -> 2", with its code where those are shown: "CPUs 4 -> 2 [OTHER_MACHINE]".
std::string difference_words(const report::RunDifference& difference, Codes codes);

/// The codes of the comparison, each once, in the order of report/reason_code.h.
std::vector<report::ReasonCode> codes_in(const report::RunComparison& comparison);

}  // namespace tune::cli
