#pragma once

#include "trace/table/table.h"
#include "trace/table/table_input.h"

namespace tune::table {

/// One row for each name of kernel, by device time.
///
///     count, total_time, mean_time, min_time, max_time
///     time_ratio               ÷ time of all kernels, streams added up
///     blocks_per_sm, occupancy_ratio
///                              as Kineto estimates them, weighted by duration over the rows that
///                              have them. Weak evidence: kernels of tensor cores run at low
///                              occupancy
///     tensor_cores             yes, no, unknown: by name (trace/kernel_names.h)
///     operator                 that issued most of the time, and how many others did
///
/// Not applicable without a kernel.
Table kernel_table(const TableInput& input);

}  // namespace tune::table
