#pragma once

#include "report/trace_analysis.h"

#include <string>

namespace tune::report {

// The reports of `tune analyze` for one trace. The same analysis always gives the same bytes.

/// report.html: one file, at most 5 MB, with what undermines trust first.
std::string to_trace_html(const TraceAnalysis& analysis);

/// report.md: headline, where the time goes, calls of the runtime, metrics, what could not be known
/// and why, what reading left out.
std::string to_trace_markdown(const TraceAnalysis& analysis);

}  // namespace tune::report
