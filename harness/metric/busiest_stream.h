#pragma once

#include "metric/trace_input.h"

#include <cstdint>

namespace tune::metric {

/// The stream (index in Timeline::tracks) with the most work within steps, or kNone. Queue and idle
/// time are told of this one: side streams are idle most of the time, which is no loss.
std::uint32_t busiest_stream(const TraceInput& input);

}  // namespace tune::metric
