#pragma once

#include "trace/table/table.h"
#include "trace/table/table_input.h"

namespace tune::table {

/// What the critical path through the steps is spent on: a row for each part of it that takes time,
/// the longest first.
///
///     bound_by      the part (trace/dependency_graph.h)
///     time          of the path, all steps together; time_ratio of its length
///     edges         of the path
///     step_without  a step, on average, if the part took no time anywhere; the path may then lead
///                   elsewhere. gain_ratio: today's step ÷ that - 1. At best: everything else takes
///                   as long as it did and waits for the same
///
/// Not applicable where there is no path.
Table critical_path_table(const TableInput& input);

/// The rows of the trace that the critical path leads over, by part and name, the longest first:
/// time of the path, its share of the path, and how many edges. Of a gap or delay the name is that
/// of the row behind it.
Table critical_row_table(const TableInput& input);

}  // namespace tune::table
