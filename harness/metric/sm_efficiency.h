#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `sm_efficiency`, 0-1: how much of the device's multiprocessors had a block to run, estimated
/// from the sizes of the grids as the TensorBoard plugin does:
///
///     sum over moments of min(sum of "blocks per SM" of the kernels that run, 1) ÷ all steps
///
/// of several devices the mean of those that have a value. One block an SM counts as full, however
/// little the block does. Kernels that do not say how many blocks they have count as none. Not
/// applicable when no kernel says.
Metric sm_efficiency(const TraceInput& input);

/// `small_grid_ratio`: time of kernels with fewer blocks than the device has multiprocessors ÷ time
/// of all kernels that say how many they have, within steps, streams added up.
Metric small_grid_ratio(const TraceInput& input);

}  // namespace tune::metric
