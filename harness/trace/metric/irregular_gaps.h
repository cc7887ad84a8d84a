#pragma once

#include "trace/intervals.h"
#include "trace/metric/trace_input.h"

#include <cstdint>

namespace tune::metric {

/// Takes times without any row that follow no pattern out of `outside`, and returns their ns: what
/// the loop does comes in each step or in each n-th, while another program that has the CPU, or
/// Python's collector, comes at any time.
///
/// Gaps of at least 1 ms in at least two steps, not in all, at distances that differ, or with one
/// missing at the same distance before or after them; and none shorter than 1 ms that is a quarter
/// as long as the longest. The limits are ours.
std::int64_t take_irregular_gaps(const TraceInput& input, profile::Intervals& outside);

}  // namespace tune::metric
