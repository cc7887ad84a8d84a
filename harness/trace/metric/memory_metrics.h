#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// From the [memory] rows (profile_memory=True) of the device whose allocator held the most; the
/// CPU only when no other has rows:
///
///     peak_allocated_bytes, peak_reserved_bytes   the highest level; reserved includes the cache
///     peak_memory_ratio         peak of reserved (allocated where that is not known) ÷ the memory
///                               of the device
///     reserved_ratio, reserved_allocated_ratio    peak of reserved ÷ the memory of the device, and
///                               ÷ peak of allocated: what the cache holds for nothing
///     allocation_count, allocated_bytes   churn per step: allocations, and bytes asked for
///     peak_growth_bytes, peak_growth_ratio   creep: peak of the last marked step less that of the
///                               first, and ÷ the memory of the device. One number of two steps:
///                               look at many steps before it is called a leak
///
/// Not applicable without rows; peaks also where the rows tell no totals (profilers of 2021),
/// ratios where deviceProperties does not say how much memory there is, growth with fewer than two
/// marked steps.
std::vector<Metric> memory_metrics(const TraceInput& input);

/// `largest_step_allocation_bytes`: the least over all steps of the largest block that the step
/// asked the CPU's allocator for: what every step allocates afresh. Above 32 MiB glibc maps and
/// unmaps it each time. Not applicable without rows of the CPU.
Metric largest_step_allocation(const TraceInput& input);

}  // namespace tune::metric
