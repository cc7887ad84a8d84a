#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// How much the marked steps differ:
///
///     step_time_p50, step_time_p95, step_time_p99   s, interpolated (stats/quantile.h)
///     step_time_cv                                  standard deviation (n - 1) ÷ mean
///     outlier_step_count                            in all: steps farther than 3 standard
///                                                   deviations from the mean (SageMaker Debugger)
///     first_step_ratio                              first step ÷ median of the others: warm-up
///                                                   within the window
///
/// Not applicable with fewer than two marked steps. Fewer than eleven can have no outlier.
std::vector<Metric> step_variance(const TraceInput& input);

/// `step_count`: marked steps in all. Not applicable without marks.
Metric step_count(const TraceInput& input);

/// `data_wait_p95`, s: of the time that steps spend in enumerate(DataLoader)#..., as
/// data_wait_ratio. Not applicable without such a row, and with fewer than two marked steps.
Metric data_wait_p95(const TraceInput& input);

}  // namespace tune::metric
