#pragma once

#include "measure/gate/gate_result.h"

#include <string>
#include <vector>

namespace tune::report {

// The sentences of a gate that its result.json holds: what is made of them is in gate_sections.h.

/// "REGRESSED: throughput -18.4 % [-19.0, -17.7] %, budget 5.0 %": one line.
std::string gate_headline(const gate::GateResult& result);

/// What weakens the answer: disturbed slices, a missing calibration, equal sides, an old baseline.
std::vector<std::string> gate_warnings(const gate::GateResult& result);

/// Whether the candidate may be the next anchor, and what holds it.
std::string anchor_move_text(const gate::Anchor& anchor);

}  // namespace tune::report
