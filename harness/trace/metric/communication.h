#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Kernels of communication, told by their names, over all streams and devices, within steps:
///
///     communication_time           s per step (a union)
///     communication_exposed_ratio  time at which they ran and no other kernel did ÷ all steps:
///                                  here computing comes first, as in TraceLens; in the partition
///                                  too
///     communication_overlap_ratio  |communication ∩ computing| ÷ |communication|
///                                  (HolisticTraceAnalysis)
///     gradient_reduction_ratio     all-reduce and reduce-scatter ÷ all communication whose kind
///                                  its kernels tell, in time
///
/// Not applicable without such a kernel.
std::vector<Metric> communication_times(const TraceInput& input);

/// What the collectives that begin within steps moved, by what Kineto writes with their kernels:
///
///     message_count         per step
///     message_bytes_median  of a rank: the larger of what goes in and what comes out
///     small_message_ratio   messages below 1 MB (msprof-analyze's limit): their share of the time
///                           of all, each for at most 200 us: one that takes longer waits for a
///                           rank
///     collective_wait_ratio time of collectives of at least 1 MB (not of sends) above what their
///                           size needs at the upper quartile of the bandwidth that the same kind
///                           reaches in the same group, where they take three times as long and at
///                           least 1 ms more ÷ all steps. Needs four of a kind
///     bus_bandwidth, B/s    median of bytes ÷ duration x 2(n-1)/n for all-reduce, (n-1)/n for
///                           all-gather, reduce-scatter and all-to-all, 1 for others (nccl-tests),
///                           over messages of at least 1 MB between n >= 2 ranks
///
/// A rank that waits for another does so in its kernel: of one rank's trace the bandwidth is a
/// lower bound. Not applicable where no kernel says its size, its type and (bus_bandwidth) its
/// group's.
std::vector<Metric> message_metrics(const TraceInput& input);

}  // namespace tune::metric
