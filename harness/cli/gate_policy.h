#pragma once

#include "cli/gate_request.h"
#include "gate/policy.h"
#include "scenario/gate_section.h"

namespace tune::cli {

/// How a gate judges: flags win over the scenario, the scenario over the defaults. Throws
/// tune::Error.
gate::Policy read_policy(const GateRequest& request, const scenario::GateSection& section);

/// How a gate judged, with what flags change of it. Throws tune::Error.
gate::Policy changed_policy(const GateRequest& request, gate::Policy recorded);

}  // namespace tune::cli
