#include "telemetry/cell_telemetry.h"

namespace tune::telemetry {

CellTelemetry combine(const std::vector<NamedTelemetry>& trials) {
  CellTelemetry cell;
  for (const NamedTelemetry& trial : trials) {
    const std::vector<HostMetric> metrics = host_metrics(trial.telemetry);
    cell.metrics.resize(metrics.size());
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      CellMetric& all = cell.metrics[i];
      all.id = metrics[i].id;
      all.unit = metrics[i].unit;
      if (metrics[i].value) {
        all.values.push_back(*metrics[i].value);
      } else if (all.reason.empty()) {
        all.reason = metrics[i].reason;
      }
    }
  }
  cell.trials = static_cast<std::int64_t>(trials.size());
  if (!trials.empty()) {
    cell.curves_of = trials.back().trial;
    cell.example = trials.back().telemetry;
  }
  return cell;
}

}  // namespace tune::telemetry
