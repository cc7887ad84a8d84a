#pragma once

#include "trace/table/table.h"
#include "trace/table/table_input.h"

namespace tune::table {

/// One row for each step, in order.
///
///     duration             as the host marked it
///     kernel, communication, memcpy, memset, runtime, data_loading, cpu_op, other
///                          the parts of the partition: exposed time, summing to the step. Those of
///                          devices are left out where the trace has none, and a note says so
///     kernels, launches    kernels that began within it; launching calls that did
///     batch_wait           time in the loader's rows, hidden or not
///
/// Not applicable without a row of work.
Table step_table(const TableInput& input);

}  // namespace tune::table
