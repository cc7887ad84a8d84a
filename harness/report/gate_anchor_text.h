#pragma once

#include "gate/gate_result.h"

#include <string>

namespace tune::report {

// The sentences of a gate's second comparison, shared by terminal, Markdown and result.json.

/// "REGRESSED: throughput -6.1 % [-6.6, -5.5] % in 10 pairs, budget 5.0 %", or why it was not
/// compared: one line.
std::string anchor_verdict_text(const gate::Anchor& anchor);

/// Whether the candidate may be the next anchor, and what holds it.
std::string anchor_move_text(const gate::Anchor& anchor);

}  // namespace tune::report
