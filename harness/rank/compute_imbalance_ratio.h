#pragma once

#include "metric/metric.h"
#include "rank/rank_summary.h"

#include <vector>

namespace tune::rank {

/// `compute_imbalance_ratio`: the most time per step that any rank computes ÷ the mean over the
/// ranks, less 1; computing is the part `kernel` of the partition, in which no communication is.
/// 0 is perfect balance; what the slowest rank needs beyond the mean the others wait. Not
/// applicable unless two ranks have kernels.
metric::Metric compute_imbalance_ratio(const std::vector<RankSummary>& ranks);

}  // namespace tune::rank
