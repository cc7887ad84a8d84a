#pragma once

#include "report/trace_comparison.h"
#include "trace/table/diff_tables.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::report {

/// Before and after: what of a step became longer and what shorter, by part, operator and kernel.
TraceComparison compare_sides(const table::TraceSide& before, const table::TraceSide& after);

/// Member `trace` of result.json: {"diff": {before, after, tables}}; times of `before` and `after`
/// are whole ns.
nlohmann::ordered_json diff_json(const table::TraceSide& before,
                                 const table::TraceSide& after,
                                 const TraceComparison& comparison);

}  // namespace tune::report
