#pragma once

#include "report/trace_analysis.h"

#include <string>

namespace tune::report {

/// report.html of `tune analyze` for one trace: one file, at most 5 MB, with what undermines trust
/// first. The same analysis always gives the same bytes.
std::string to_trace_html(const TraceAnalysis& analysis);

}  // namespace tune::report
