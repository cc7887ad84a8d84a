#pragma once

#include "report/text_table.h"
#include "report/trace_analysis.h"

#include <cstddef>
#include <vector>

namespace tune::report {

constexpr std::size_t kTopRows = 5;

/// The first rows of the operators (steps are none), by their own time on the host, and of the
/// kernels, by their time, with the few columns that an overview needs. Without rows where the
/// table is not applicable.
std::vector<TextTable> top_tables(const TraceAnalysis& analysis);

}  // namespace tune::report
