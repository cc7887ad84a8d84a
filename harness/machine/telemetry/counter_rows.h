#pragma once

#include "machine/telemetry/summary.h"

#include <string>

namespace tune::telemetry {

/// Counter tracks of Chrome's trace format: the machine's telemetry during `window`, for a trace
/// whose ts counts from window.begin_ns (both are CLOCK_MONOTONIC). Rows of "ph":"C", one per line
/// with "," between them, in their own process; "" when no reading falls into the window.
///
/// A value is the mean over the time up to the next one, so its ts is where that time begins, but
/// at least 0: not every viewer accepts an earlier one. Tracks are called "disk_read_rate [B/s]";
/// shares are in percent, and the label of a series ("cpu3") is the counter's own name.
std::string counter_rows(const TrialTelemetry& telemetry, Span window);

}  // namespace tune::telemetry
