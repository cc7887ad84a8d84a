#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"
#include "profile/role.h"

namespace tune::metric {

/// `partition_<role>_ratio`: time at which the role ran and nothing of a higher role did, ÷ all
/// steps. The eight sum to 1. Not applicable on a trace of the CPU alone for the roles of devices
/// and of calls into them.
Metric partition_ratio(const TraceInput& input, profile::Role role);

}  // namespace tune::metric
