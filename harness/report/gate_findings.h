#pragma once

#include "gate/gate_result.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::report {

/// `findings` of a gate's result.json: what the rule performance-regression says of its verdict and
/// of how the phases of the step moved. The other rules are about a run; `tune run` asks them.
nlohmann::ordered_json gate_findings(const gate::GateResult& result);

}  // namespace tune::report
