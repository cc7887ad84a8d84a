#pragma once

#include "trace/rank/match_collectives.h"
#include "trace/rank/rank_summary.h"
#include "trace/table/table.h"

#include <vector>

namespace tune::rank {

/// One row for each rank.
///
///     step_time, kernel, ..., other    per step; the parts of the partition sum to it;
///                                      those of devices only where a rank has one
///     gpu_busy_ratio                   trace/metric/device_use.h
///     exposed_communication_ratio      the part communication ÷ steps: no kernel hides it
///     collective_wait                  in matched collectives, per step
///     times_last, caused_wait          collectives that it started last, and what the others
///                                      waited in them, per step; missing without a known order
table::Table rank_table(const std::vector<RankSummary>& ranks, const MatchedCollectives& matched);

/// One row for each collective of each process group, by waiting time.
///
///     transfer   sum of the shortest durations: what it takes when nobody is late
///     wait       sum over the ranks of what is beyond
///     wait_ratio wait ÷ duration, ranks added up
///     straggler  the rank that started last most often, and how often
///
/// Not applicable where nothing could be matched.
table::Table collective_table(const std::vector<RankSummary>& ranks,
                              const MatchedCollectives& matched);

}  // namespace tune::rank
