#pragma once

#include "advice/rule/fact_table.h"
#include "measure/history/series.h"

#include <optional>

namespace tune::campaign {

/// What earlier runs that compare with this one tell rules, by the rates of their baselines:
///
///     slowdown_ratio         median of the earlier rates ÷ the rate of this run - 1
///     history_run_count      earlier runs
///     history_spread_ratio   median of the earlier rates ÷ the least of them - 1
///
/// `series` ends with this run. Not known without an earlier one.
void add_history_facts(const std::optional<history::Series>& series, rule::FactTable& facts);

}  // namespace tune::campaign
