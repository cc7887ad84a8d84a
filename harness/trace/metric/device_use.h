#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <cstdint>

namespace tune::metric {

/// `gpu_busy_ratio`: |union(kernels ∪ copies ∪ fills of one device) ∩ steps| ÷ all steps; of
/// several devices the mean of those that did anything.
///
/// The "GPU utilisation" of the TensorBoard plugin counts kernels alone, from the first step's
/// begin to the last one's end. Not applicable without device work.
Metric gpu_busy_ratio(const TraceInput& input);

/// The stream (index in Timeline::tracks) with the most work within steps, or kNone. Queue and idle
/// time are this stream's: side streams are idle most of the time, which costs nothing.
std::uint32_t busiest_stream(const TraceInput& input);

/// `device_tail_time`, s: device work after the host's end of the last step, on any device. Steps
/// are not extended to the end of their kernels, so this belongs to none of them. Not applicable
/// without device work, and without step marks: then the only step ends with the last row.
Metric device_tail_time(const TraceInput& input);

/// `occupancy`, 0-1: Kineto's estimate of each kernel's occupancy, weighted by its time within
/// steps, as in the TensorBoard plugin. Weak evidence: kernels for tensor cores run well at a low
/// one. Kernels without an estimate are left out; not applicable when none has one.
Metric occupancy(const TraceInput& input);

/// `sm_efficiency`, 0-1: how much of the device's multiprocessors had a block to run, estimated
/// from the sizes of the grids as the TensorBoard plugin does:
///
///     sum over moments of min(sum of "blocks per SM" of the kernels that run, 1) ÷ all steps
///
/// of several devices the mean of those that have a value. One block an SM counts as full, however
/// little the block does. Kernels that do not say how many blocks they have count as none, and so
/// do those of collective communication, which have few by design. Not applicable when no other
/// kernel says.
Metric sm_efficiency(const TraceInput& input);

/// `small_grid_ratio`: time of kernels with fewer blocks than the device has multiprocessors ÷ time
/// of all kernels that say how many they have, within steps, streams added up, without collective
/// communication.
Metric small_grid_ratio(const TraceInput& input);

}  // namespace tune::metric
