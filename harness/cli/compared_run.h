#pragma once

#include "report/run_differences.h"

#include <string>
#include <utility>

namespace tune::cli {

/// Reads two run directories, or result.json files, of `tune run` or `tune gate`. Throws
/// tune::Error for what is missing, damaged, of another schema or of another command, for a run
/// that has no result yet, and when both are the same one.
std::pair<report::ComparedRun, report::ComparedRun> read_compared_runs(const std::string& a,
                                                                       const std::string& b);

}  // namespace tune::cli
