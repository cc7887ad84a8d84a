#pragma once

#include "trace/intervals.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::metric {

/// Why the busiest stream is idle between two pieces of work, after HolisticTraceAnalysis:
///
///     host wait     the call that issued the next work began after the last work had ended
///     kernel wait   it had been issued before, and the gap is shorter than 30 us: what the device
///                   needs from one kernel to the next
///     other         the rest: waits for another stream or device, and work whose call is not known
///
/// `idle_host_wait_ratio`, `idle_kernel_wait_ratio` and `idle_other_ratio` are shares of the idle
/// time and sum to 1; `host_wait_ratio` and `kernel_wait_ratio` are the same times ÷ all steps;
/// `host_wait_per_launch_time`, s, is the first of them ÷ the pieces of work of the stream.
/// Time before the first work and after the last is in none of them. Not applicable when no work of
/// the stream can be joined to its call, or too few kernels of all (why_no_launches); the first
/// three also when there is no gap.
std::vector<Metric> idle_breakdown(const TraceInput& input);

/// A long silence of a device.
struct LongGap {
  std::int32_t device = -1;
  profile::Interval interval;
  /// The shortest operator or range of the host that covers at least half of it: what to look at.
  /// "" when there is none: ranges (record_function) would tell.
  std::string host_row;
};

/// Where a device did nothing for at least max(5 x the median gap of the device, 1 ms), clipped to
/// steps: the longest first, at most 20. The limits are ours; Nsight's 500 ms are for whole runs.
/// Silence before the first work of a device and after its last does not count. At most 16 devices.
std::vector<LongGap> long_gaps(const TraceInput& input);

/// The sums of long_gaps(), over all devices: `long_gap_count` per step, `long_gap_time`, s in all,
/// `long_gap_ratio`, their share of all steps (÷ devices), and `gap_time_max`, s, the longest gap,
/// long or not. Not applicable without device work.
std::vector<Metric> gap_metrics(const TraceInput& input);

/// `gap_host_cover_ratio`, 0-1: how much of the longest gap rows of the host cover: operators,
/// ranges, calls, Python frames. Near 1 they tell what the host did; near 0 it is code without
/// ranges. Not applicable where no device is silent between two pieces of work.
Metric gap_host_cover_ratio(const TraceInput& input);

}  // namespace tune::metric
