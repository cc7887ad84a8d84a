#pragma once

#include "metric/metric.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::report {

/// A metric of a trace: {id, unit, value, lower, upper, confidence, n, cell, window, reason,
/// warnings}. `cell` is null where the trace is nobody's trial.
nlohmann::ordered_json to_json(const metric::Metric& metric, nlohmann::ordered_json cell);

}  // namespace tune::report
