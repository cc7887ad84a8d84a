#pragma once

#include "base/error.h"
#include "cli/analyze_request.h"

namespace tune::cli {

/// The first trace is before, the second after. Throws tune::Error unless two are named.
ExitCode analyze_diff(const AnalyzeRequest& request);

}  // namespace tune::cli
