#pragma once

#include "table/table.h"
#include "table/table_input.h"

#include <cstddef>

namespace tune::table {

// From [memory] rows (profile_memory=True). Not applicable without any. Times count from the first
// row of the trace.

/// One row for each device: peaks of allocated and reserved memory, when the first of them was and
/// in which operator; how many allocations and frees, and how many bytes were allocated in all.
Table memory_table(const TableInput& input);

/// Allocated and reserved memory over time. Of each of `points` equal parts of the trace the
/// highest levels, so that peaks are kept.
Table memory_timeline_table(const TableInput& input, std::size_t points = 200);

/// The largest allocations, at most 100, with the operator that made them and how long they lived;
/// the lifetime of what was never freed, or whose address is not recorded, is not known.
Table allocation_table(const TableInput& input);

}  // namespace tune::table
