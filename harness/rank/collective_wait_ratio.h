#pragma once

#include "metric/metric.h"
#include "rank/match_collectives.h"

namespace tune::rank {

/// `collective_wait_ratio`: of the time that ranks spend in matched collectives, ranks added up,
/// the part in which they wait for the last of them; the rest is the transfer. Not applicable where
/// nothing is matched.
metric::Metric collective_wait_ratio(const MatchedCollectives& matched);

}  // namespace tune::rank
