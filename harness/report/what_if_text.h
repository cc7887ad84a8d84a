#pragma once

#include "report/trace_analysis.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace tune::report {

/// What bounds the steps, by the critical path: "the critical path: kernel 63.2 %, launch 12.0 %,
/// cpu 9.1 %; without launch a step takes at best 10ms instead of 12ms". "" where there is none.
std::string bound_line(const TraceAnalysis& analysis);

/// The answer to --what-if, with its model; why there is none. Empty when it was not asked.
std::vector<std::string> what_if_lines(const TraceAnalysis& analysis);

/// {changes, times, times_reason}; null when it was not asked.
nlohmann::ordered_json what_if_json(const TraceAnalysis& analysis);

}  // namespace tune::report
