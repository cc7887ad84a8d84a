#pragma once

#include "trace/steps.h"
#include "trace/timeline.h"

#include <cstdint>
#include <optional>

namespace tune::profile {

/// Steps of a trace without step marks, from rows that come once in each step; the first of these
/// that the trace has:
///
///     a training    enumerate(DataLoader)# after Optimizer.step#, of one thread: as for scripts, a
///                   step ends with the next batch after an update. Without such a loader from the
///                   end of one update to the end of the next; of several optimizers, of all of
///                   them.
///     a server      execute_context_1(5)_generation_2(2) of vLLM, step[DECODE bs=8] of SGLang
///     inference     enumerate(DataLoader)#
///     CUDA graphs   one replay to the next. Where a step is several graphs, by how their kernels
///                   repeat, and from the longest pause of the host on.
///
/// What is before the first whole step is not among them, nor is the first step if its begin is in
/// the trace: without a schedule it is the one that starts up. Nor is what follows the last row of
/// the kind, of which it is not known how long it is.
///
/// Empty (`are_known` false) with fewer than two steps, or where graphs hold less than half of the
/// time from the first to the last work of devices. Rows that end after `cut_ns` do not count.
Steps infer_steps(const Timeline& timeline, std::optional<std::int64_t> cut_ns);

}  // namespace tune::profile
