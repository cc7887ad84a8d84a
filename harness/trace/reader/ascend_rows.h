#pragma once

#include "trace/timeline.h"

namespace tune::profile {

/// Gives the rows of Huawei's Ascend profilers (torch_npu, msprof: trace_view.json) their
/// categories. They have none of their own; their processes are called "Ascend Hardware", whose
/// threads are streams, and "CANN", the host's calls. What the two share as `connection_id` has
/// been read as the correlation. All other rows stay what they are. Tracks have their names.
void read_ascend_rows(Timeline& timeline);

}  // namespace tune::profile
