#pragma once

#include "telemetry/host_metrics.h"
#include "telemetry/summary.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::telemetry {

/// One number of a setting, from the trials that measured it.
struct CellMetric {
  std::string id, unit;
  std::vector<double> values;  ///< one a trial that has it
  std::string reason;          ///< why there is none, of the first trial that has none
};

/// What the machine did while one setting was measured.
struct CellTelemetry {
  std::string cell;
  std::string stage;                ///< of the trials: "search", "audit" or "confirm"
  std::int64_t trials = 0;          ///< with telemetry
  std::string reason;               ///< why there are none, or fewer than there should be; or ""
  std::vector<CellMetric> metrics;  ///< in the order of host_metrics()
  std::string curves_of;            ///< the trial whose curves stand here
  TrialTelemetry example;           ///< that trial
};

/// A trial and what was seen of it.
struct NamedTelemetry {
  std::string trial;
  TrialTelemetry telemetry;
};

/// The metrics of the trials side by side, and the curves of the last. `cell` and `stage` are left
/// to the caller.
CellTelemetry combine(const std::vector<NamedTelemetry>& trials);

}  // namespace tune::telemetry
