#pragma once

#include "machine/telemetry/summary.h"

#include <string>

namespace tune::telemetry {

/// Counter tracks of Chrome's trace format: what was seen of the machine while `window` went on,
/// for a trace whose ts counts from window.begin_ns (both are CLOCK_MONOTONIC). Rows of "ph":"C",
/// one a line with "," between them, in a process of their own; "" when no reading falls into the
/// window.
///
/// A value is the mean of the time up to the next one, so it stands where that time begins, at the
/// earliest at ts 0: not every viewer takes what is before. Tracks are called "disk_read_rate
/// [B/s]"; shares are in percent, and what tells series of one name apart ("cpu3") is the counter's
/// own name.
std::string counter_rows(const TrialTelemetry& telemetry, Span window);

}  // namespace tune::telemetry
