#pragma once

#include "report/trace_analysis.h"

#include <string>
#include <vector>

namespace tune::report {

/// What reading left out or repaired, with how often and the first place; `with_skipped`: also what
/// nobody asked for.
std::vector<std::string> note_lines(const TraceAnalysis& analysis, bool with_skipped);

/// What makes the numbers of this trace worth less: rows that were dropped or repaired, a tail that
/// is missing, steps that are not marked, kernels without the call that launched them, a profiler
/// that was busy itself. Empty when nothing does. At most 100 lines.
std::vector<std::string> trust_lines(const TraceAnalysis& analysis);

/// "2 steps cut off by --memory or by the end of the file: not counted"; needs an unfinished one.
std::string unfinished_words(const profile::Steps& steps);

}  // namespace tune::report
