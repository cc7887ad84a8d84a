#pragma once

#include "cli/terminal.h"
#include "gate/gate_result.h"
#include "report/gate_record.h"

#include <filesystem>
#include <string>

namespace tune::cli {

/// What `tune gate` prints at its end: to_gate_answer(), with the files of the directory and the
/// next command.
std::string gate_answer(const report::GateRecord& record,
                        const std::filesystem::path& directory,
                        const Terminal& terminal);

/// What `tune gate --plan` prints: pairs, wall time and smallest detectable effect. A stored
/// baseline is not measured again.
std::string gate_plan(const gate::GateResult& result, bool is_stored);

}  // namespace tune::cli
