#pragma once

#include "report/gate_pair_plot.h"
#include "report/gate_record.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::report {

// What a page says of the rows of a gate, from its record.

/// Measured or counted rows, worst first: REGRESSED, INCONCLUSIVE, IMPROVED, PASS, and of those the
/// measured ones by how much worse they are.
std::vector<const StoredGateRow*> worst_first(const std::vector<StoredGateRow>& rows,
                                              bool measured);

/// How much worse the candidate is as a ratio, below 0 where it is better: whichever way the metric
/// counts. 0 of a row without a change.
double worsening(const StoredGateRow& row);

/// The same as rows are put in order by it: a rate and the time of the same steps, whose changes
/// are reciprocal but for the last bits, are equally bad.
double compared_worsening(double ratio);

/// How far the budget lets the candidate go, as candidate / baseline - 1: below 0 for metrics of
/// which less is worse. Nothing without a budget.
std::optional<double> budget_change(const StoredGateRow& row);

/// "58.1 samples/s", "61 calls to 64 calls", "not measured".
std::string value_words(const StoredRange& range, const std::string& unit);
std::string value_words(std::optional<double> value, const std::string& unit);

/// "[-19.0, -17.7] %", or why there is none.
std::string interval_words(const StoredNumber& change);

/// The differences of the pairs in this metric; pairs without both values are left out.
std::vector<PairChange> changes_of(const std::vector<GatePair>& pairs, const std::string& metric);

/// The noise of single pairs: half of them lie at most so far from their median, as a ratio.
/// Nothing with fewer than four.
std::optional<double> noise_of(const std::vector<PairChange>& changes);

}  // namespace tune::report
