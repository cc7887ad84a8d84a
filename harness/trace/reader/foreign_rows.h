#pragma once

#include "trace/timeline.h"

namespace tune::profile {

/// Gives rows of other profilers, which write no categories, those that they have in PyTorch's.
/// All other rows stay what they are. Tracks have their names.
///
/// Huawei's Ascend profilers (torch_npu, msprof: trace_view.json): the process "Ascend Hardware",
/// whose threads are streams, and "CANN", the host's calls. What the two share as `connection_id`
/// has been read as the correlation.
///
/// XLA's profiler (JAX, TensorFlow: trace.json.gz): processes such as "/device:GPU:0", whose threads
/// "Stream #13(Compute)" or "XLA Ops" ran the kernels; its other threads show the same time again,
/// by step, module and name scope. The host's operators and calls have no counterpart: a warning
/// says so.
void read_foreign_rows(Timeline& timeline);

}  // namespace tune::profile
