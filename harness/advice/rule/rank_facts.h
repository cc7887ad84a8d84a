#pragma once

#include "advice/rule/fact_table.h"
#include "trace/rank/rank_summary.h"

#include <cstddef>
#include <vector>

namespace tune::rule {

/// What traces of several ranks say together:
///
///     rank_count
///     rank_step_time_max, _min, _median   of the ranks' own time per step: the step less what the
///                     rank waits for others in matched collectives, as far as no kernel hides
///                     that. Steps themselves last equally long where all wait for the slowest
///     straggler_z     modified z-score of the slowest: 0.6745 (max - median) ÷ median absolute
///                     deviation (xprof, from 3 ranks on). Not known where that deviation is 0
///     last_rank       the rank that made others wait longest; not known where the order is not
///
/// Needs two ranks with steps; else they are unknown, with the reason.
void add_rank_facts(const std::vector<rank::RankSummary>& ranks, FactTable& facts);

/// The index of the rank that sets the pace: the one that made others wait longest, else the one
/// whose own step takes longest. Needs a rank.
std::size_t pacing_rank(const std::vector<rank::RankSummary>& ranks);

}  // namespace tune::rule
