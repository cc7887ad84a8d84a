#pragma once

#include "cli/gate_request.h"
#include "gate/gate_result.h"
#include "gate/run_gate.h"
#include "gate/stored_baseline.h"

#include <optional>

namespace tune::cli {

/// What choose_baseline() found to be stored. Throws gate::Incomparable when it is not there or
/// cannot be read.
gate::StoredBaseline load_stored(const GateRequest& request);

/// The baseline of a gate where choose_baseline() found a stored one, or a file of one: its name is
/// told in `result`, and what makes it worth less is a warning there. Nothing where the baseline is
/// measured as well. Throws gate::Incomparable when it does not go with the result's scenario, data
/// and machine.
std::optional<gate::StoredSide> find_stored(gate::GateResult& result, const GateRequest& request);

}  // namespace tune::cli
