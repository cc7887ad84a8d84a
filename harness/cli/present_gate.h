#pragma once

#include "base/error.h"
#include "cli/gate_request.h"
#include "gate/gate_result.h"

namespace tune::cli {

/// The end of a gate: its reports and what else was wished into its directory, its entry in the
/// history, the answer on standard output. Gives back what the shell gets.
ExitCode present_gate(const gate::GateResult& result, const GateRequest& request);

}  // namespace tune::cli
