#pragma once

#include "trace/table/table_input.h"

#include <string>

namespace tune::table {

// One line a stack, "thread 412;ProfilerStep*;aten::mm 1234": outermost first, then a time in whole
// us. Flame graphs are drawn from it (flamegraph.pl, inferno, speedscope). Stacks of less than half
// a us are left out; a semicolon in a name becomes a colon. What lies deeper than kDeepestStack
// rows counts to the last of them. Lines are in order.

/// Self time of rows of the host, in the rows around them.
std::string folded_host_stacks(const TableInput& input);

/// Time of device work, in the rows that issued it; work that no row of the trace issued is in
/// "(issued outside the trace)". Streams are added up.
std::string folded_device_stacks(const TableInput& input);

}  // namespace tune::table
