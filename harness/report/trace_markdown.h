#pragma once

#include "report/trace_analysis.h"

#include <string>

namespace tune::report {

/// report.md of `tune analyze`: headline, where the time goes, calls of the runtime, metrics, what
/// could not be known and why, what reading left out.
std::string to_trace_markdown(const TraceAnalysis& analysis);

}  // namespace tune::report
