#pragma once

#include "gate/gate_result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace tune::report {

/// `findings` of a gate's result.json: what the rule performance-regression says of its verdict and
/// of how the phases of the step moved; not applicable where both sides are the same, or the
/// candidate failed. The other rules are about a run; `tune run` asks them.
nlohmann::ordered_json gate_findings(const gate::GateResult& result);

/// Of those that fired, for people: finding_words().
std::vector<std::string> gate_finding_lines(const gate::GateResult& result);

/// "Find the change that made it slower (performance-regression, high): gate_verdict ... ✓".
std::string finding_words(const std::string& title,
                          const std::string& rule,
                          const std::string& severity,
                          const std::string& condition);

}  // namespace tune::report
