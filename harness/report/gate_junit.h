#pragma once

#include "gate/gate_result.h"

#include <string>

namespace tune::report {

/// JUnit XML as continuous-integration servers read it: one suite a scenario, one case a row.
/// REGRESSED is a failure, INCONCLUSIVE is skipped (or a failure, where the policy says so), a side
/// that failed is an error. In modes other than enforce nothing fails.
std::string to_gate_junit(const gate::GateResult& result);

}  // namespace tune::report
