#pragma once

#include "report/trace_analysis.h"

#include <string>

namespace tune::report {

/// The product of `tune analyze` as JSON text: kind "analyze" of schema "tune-result/1". Its member
/// `trace` holds steps, partition, calls of the runtime, and what reading left out; times in it are
/// whole ns, so that the parts of a step sum to it.
std::string to_trace_json(const TraceAnalysis& analysis);

}  // namespace tune::report
