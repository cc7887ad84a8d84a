#pragma once

#include "report/analysis_json.h"
#include "report/trace_comparison.h"

#include <string>

namespace tune::report {

/// report.html of `tune analyze` for several traces: ranks of a job, or before and after. Of
/// `record` the warnings and what reproduces it. As to_trace_html(): one file, at most 5 MB.
std::string to_comparison_html(const TraceComparison& comparison, const AnalysisRecord& record);

}  // namespace tune::report
