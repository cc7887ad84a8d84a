#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

namespace tune::metric {

/// `host_fill_ratio`, 0-1: time at which a thread that gives a device work fills tensors of the
/// host (aten::normal_, aten::uniform_, aten::fill_, ...) and no device works ÷ all steps. What a
/// loader fills is the loader's and does not count. At most what filling them on the device gains.
///
/// Not applicable without operators or without work of a device.
Metric host_fill_ratio(const TraceInput& input);

}  // namespace tune::metric
