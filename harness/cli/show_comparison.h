#pragma once

#include "base/error.h"
#include "cli/analyze_request.h"
#include "report/analysis_json.h"
#include "report/trace_comparison.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::cli {

/// Writes the reports of a comparison and prints it, or its result.json. `record` needs no headline
/// and no metrics: the comparison has them. `trace` is the member of that name in result.json.
ExitCode show_comparison(const AnalyzeRequest& request,
                         const report::TraceComparison& comparison,
                         report::AnalysisRecord record,
                         nlohmann::ordered_json trace);

}  // namespace tune::cli
