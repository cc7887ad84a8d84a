#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Length of each step, s.
std::vector<double> step_seconds(const TraceInput& input);

/// `step_time`, s: the median step as the host marked it, with the profiler's own cost in it. Not
/// applicable without marks.
Metric step_time(const TraceInput& input);

/// How much the marked steps differ:
///
///     step_time_p50, step_time_p95, step_time_p99   s, interpolated (base/stats/quantile.h)
///     step_time_cv                                  standard deviation (n - 1) ÷ mean
///     outlier_step_count                            in all: steps farther than 3 standard
///                                                   deviations from the mean (SageMaker Debugger)
///     first_step_ratio                              first step ÷ median of the others: warm-up
///                                                   within the window
///     early_step_ratio                              mean of the first two ÷ median of the others
///
/// Not applicable with fewer than two marked steps, the last with fewer than three. Fewer than
/// eleven can have no outlier.
std::vector<Metric> step_variance(const TraceInput& input);

/// `step_count`: marked steps in all. Not applicable without marks.
Metric step_count(const TraceInput& input);

/// How long steps wait in enumerate(DataLoader)#..., as for data_wait_ratio: `data_wait_p95`, s,
/// and `long_wait_ratio`, the share of steps that wait more than 30 ms (gpuprof). Not applicable
/// without such a row, and with fewer than two marked steps.
std::vector<Metric> data_waits(const TraceInput& input);

}  // namespace tune::metric
