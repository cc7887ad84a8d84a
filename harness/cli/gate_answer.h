#pragma once

#include "cli/terminal.h"
#include "gate/gate_result.h"

#include <string>

namespace tune::cli {

/// What `tune gate` prints at its end: the table, that of the anchor, what weakens them, where the
/// files are, the next command, and last of all the verdict.
std::string gate_answer(const gate::GateResult& result, const Terminal& terminal);

/// What `tune gate --plan` prints: pairs, wall time and smallest detectable effect. A stored
/// baseline is not measured again.
std::string gate_plan(const gate::GateResult& result, bool is_stored);

}  // namespace tune::cli
