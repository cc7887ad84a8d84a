#pragma once

#include "gate/gate_result.h"
#include "gate/run_process.h"

namespace tune::gate {

/// The gate of two commits of which everything is the same that decides what is measured: nothing
/// is judged, `result` passes. With `takes_sample` one pair of fresh processes is measured, A/A,
/// and is in result.pairs afterwards unless other work disturbed it; one that fails is a warning.
/// Only an interruption ends it otherwise.
void conclude_equal_sides(GateResult& result, const GateLoop& loop, bool takes_sample);

}  // namespace tune::gate
