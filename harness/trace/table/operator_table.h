#pragma once

#include "trace/table/operator_groups.h"
#include "trace/table/table.h"
#include "trace/table/table_input.h"

#include <string_view>

namespace tune::table {

/// What all rows that mark steps are called together, as in PyTorch.
constexpr std::string_view kStepRow = "ProfilerStep*";

/// The table of PyTorch's `key_averages().table()`, from a trace: one row for each name of
/// operator, annotation and call into a device's library. Column ids are the names of PyTorch's
/// attributes, in the order of its columns; rows by self CPU time.
///
///     self_cpu_time_total      time less what rows directly within cover (HostTree)
///     cpu_time_total           time from begin to end; a row in one of its own name counts twice
///     cpu_time                 cpu_time_total ÷ count
///     *_cpu_ratio              ÷ sum of self CPU time, threads added up
///     self_device_time_total   work of devices launched in it, but in no operator within
///     device_time_total        the same with all rows within; work of streams is added up
///     self_device_ratio        ÷ work of all devices, linked or not
///     cpu_memory_usage, ...    bytes allocated less bytes freed on its thread, from [memory] rows
///     flops                    see flop_count.h
///
/// Differences from PyTorch: device work has a table of its own (kernels) instead of rows here;
/// memory is counted by thread; the profiler's own overhead is not a row. Columns that the trace
/// has no rows for are left out, and a note says why.
///
/// Not applicable without any operator or annotation, and where groups cannot be told apart.
Table operator_table(const TableInput& input, const GroupBy& by = {});

/// The same table without kStepRow, for lists of operators: operators run in a step, it is none.
/// Shares and notes stay those of PyTorch's table.
Table without_steps(Table table);

}  // namespace tune::table
