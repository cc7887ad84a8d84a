#pragma once

#include "metric/trace_input.h"

#include <cstdint>
#include <vector>

namespace tune::metric {

/// By event, of operators and annotations: the operator or annotation before it in the same row, or
/// at the top of the same thread; kNone for the first, and for everything else. Calls into a
/// device's library are left out.
std::vector<std::uint32_t> previous_siblings(const TraceInput& input);

}  // namespace tune::metric
