#pragma once

#include "report/block.h"
#include "report/gate_pair_plot.h"
#include "report/gate_record.h"

#include <optional>
#include <string>
#include <vector>

namespace tune::report {

// What reports say of the rows of a gate, from its record.

/// Measured or counted rows, worst first: REGRESSED, INCONCLUSIVE, IMPROVED, PASS, and of those the
/// measured ones by how much worse they are.
std::vector<const result::GateRow*> worst_first(const std::vector<result::GateRow>& rows,
                                                bool measured);

/// The measured row that the verdict is about: the worst, where all pass the first, which the
/// policy names first: throughput. Null where no measured row has this verdict.
const result::GateRow* deciding_row(const std::vector<result::GateRow>& rows,
                                    const std::string& verdict);

/// All rows with value, change, budget and verdict, as lines and Markdown have them: by verdict, of
/// one verdict the measured ones first, of those the worst. What is not gated comes last.
Table table_of_rows(const std::vector<result::GateRow>& rows);

/// The table as a comment has room for it: the first rows, the others open by a click.
void add_folding(Table table, Renderings where, Section& section);

/// How much worse the candidate is as a ratio, below 0 where it is better: whichever way the metric
/// counts. 0 of a row without a change.
double worsening(const result::GateRow& row);

/// Whether the row says how much something is, not how long it takes.
bool is_amount(const result::GateRow& row);

/// candidate / baseline - 1 of what is worse by so much on the scale of ln(how much worse).
double change_of(const std::string& metric, const std::string& unit, double log_worse);

/// How far the budget lets the candidate go, as candidate / baseline - 1: below 0 for metrics of
/// which less is worse. Nothing without a budget.
std::optional<double> budget_change(const result::GateRow& row);

/// "58.1 samples/s", "61 calls to 64 calls", "not measured".
std::string value_words(const result::Range& range, const std::string& unit);
std::string value_words(std::optional<double> value, const std::string& unit);

/// "-18.4 % [-19.0, -17.7] %", "not measured".
std::string change_words(const result::GateRow& row);

/// What became of a count: "equal", "+4.9 %", "new".
std::string counted_change(const result::Range& baseline, const result::Range& candidate);

/// "[-19.0, -17.7] %", or why there is none.
std::string interval_words(const result::Number& change);

/// "42.3 %", or what is said where there is none.
std::string share_or(std::optional<double> ratio, const char* otherwise);

/// "throughput -18.4 % [-19.0, -17.7] % in 10 pairs, budget 5.0 %", and why it is undecided.
std::string deciding_words(const result::GateRow& row);

/// The differences of the pairs in this metric; pairs without both values are left out.
std::vector<PairChange> changes_of(const std::vector<result::GatePair>& pairs,
                                   const std::string& metric);

/// Half of the pairs lie so near to their median, as a ratio: what single pairs differ by. Nothing
/// of fewer than four pairs.
std::optional<double> noise_of(const std::vector<PairChange>& changes);

}  // namespace tune::report
