#pragma once

#include "base/error.h"
#include "cli/analyze_request.h"
#include "cli/terminal.h"
#include "report/analysis_json.h"
#include "report/trace_analysis.h"
#include "report/trace_comparison.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tune::cli {

/// Writes the reports of a comparison and prints it, or its result.json. `record` needs no headline
/// and no metrics: the comparison has them. `trace` is the member of that name in result.json.
ExitCode show_comparison(const AnalyzeRequest& request,
                         const report::TraceComparison& comparison,
                         report::AnalysisRecord record,
                         nlohmann::ordered_json trace);

/// What `tune analyze` prints: what the rules recommend, where the time goes; the headline comes
/// last. With -v also why each metric that is not known is not, and what reading skipped.
std::string trace_answer(const report::TraceAnalysis& analysis,
                         const Terminal& terminal,
                         bool is_verbose);

}  // namespace tune::cli
