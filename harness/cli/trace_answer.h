#pragma once

#include "cli/terminal.h"
#include "report/trace_analysis.h"

#include <string>

namespace tune::cli {

/// What `tune analyze` prints: where the time goes, what could not be known, what reading left out,
/// what the rules recommend; the headline comes last.
std::string trace_answer(const report::TraceAnalysis& analysis, const Terminal& terminal);

}  // namespace tune::cli
