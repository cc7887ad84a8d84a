#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `loader_operator_count`, count per step: operators within enumerate(DataLoader)# rows of the
/// thread that marks the steps (of every thread where none is marked): batches that the training
/// thread makes itself. Loaders with workers leave a few that hand tensors over. Not applicable
/// without such a row.
Metric loader_operator_count(const TraceInput& input);

}  // namespace tune::metric
