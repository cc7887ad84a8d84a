#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

namespace tune::metric {

/// `data_wait_ratio`: time within steps at which the host waited in `enumerate(DataLoader)#...`,
/// whatever a device did meanwhile, ÷ all steps. (partition_data_loading_ratio is the part of it
/// that nothing hides.) Not applicable without such a row: a loader of one's own is not recorded.
Metric data_wait_ratio(const TraceInput& input);

/// `loader_operator_count`, count per step: operators within enumerate(DataLoader)# rows of the
/// thread that marks the steps (of every thread where none is marked): batches that the training
/// thread makes itself. Loaders with workers leave a few that hand tensors over. Not applicable
/// without such a row.
Metric loader_operator_count(const TraceInput& input);

/// `loader_receive_ratio`: time of rows of PyTorch's loader with worker processes from the batch's
/// first tensor on ÷ all steps: unpickling what else is in the batch, and asking for the next. The
/// training process does that itself, however many workers there are. A row that takes several
/// batches, because another worker's came first, counts the last one for each. Not applicable where
/// the rows hold no operator: the loader has no workers, or a thread of its own takes their batches
/// (pin_memory).
Metric loader_receive_ratio(const TraceInput& input);

/// `loader_batch_time`, s: the median time of a row of PyTorch's Python loader that begins in a
/// step on the thread that marks the steps: loading a batch where that thread does it itself,
/// waiting for one where worker processes do. The median, so that neither their start nor a pause
/// of Python's garbage collector counts. Not applicable without such a row.
Metric loader_batch_time(const TraceInput& input);

}  // namespace tune::metric
