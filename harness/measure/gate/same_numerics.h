#pragma once

#include "measure/gate/gate_result.h"

namespace tune::gate {

/// Whether both sides compute the same numbers: one workload, the same data and files, and no knob
/// differs that changes them.
bool same_numerics(const Side& baseline, const Side& candidate);

}  // namespace tune::gate
