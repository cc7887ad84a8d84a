#pragma once

#include "measure/gate/gate_result.h"
#include "result/diagnosis.h"

#include <string>
#include <vector>

namespace tune::report {

/// What the rule performance-regression says of its verdict and
/// of how the phases of the step moved; not applicable where both sides are the same, or the
/// candidate failed. The other rules are about a run; `tune run` asks them.
std::vector<result::Finding> gate_findings(const gate::GateResult& result);

/// One that fired, for people: "Find the change that made it slower (performance-regression, high):
/// gate_verdict ... ✓".
std::string finding_words(const std::string& title,
                          const std::string& rule,
                          const std::string& severity,
                          const std::string& condition);

}  // namespace tune::report
