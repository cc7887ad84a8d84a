#pragma once

#include "base/error.h"
#include "cli/gate_request.h"
#include "cli/terminal.h"
#include "measure/gate/gate_result.h"
#include "measure/revision/repository.h"
#include "report/gate_record.h"

#include <filesystem>
#include <string>

namespace tune::cli {

/// What `tune gate` prints at its end: to_gate_answer(), with the files of the directory and the
/// next command.
std::string gate_answer(const report::GateRecord& record,
                        const std::filesystem::path& directory,
                        const Terminal& terminal);

/// What `tune gate --dry-run` prints: pairs, wall time and smallest detectable effect. A stored
/// baseline is not measured again.
std::string gate_plan(const gate::GateResult& result, bool is_stored);

/// Says on standard error why a commit was not built, and writes it where continuous integration
/// looks: report.md, junit.xml, the step summary, and the formats that were wished for; as JSON on
/// standard output where the request says so. `named` has run directory, start and the scenario's
/// name. 1 for the candidate, 4 for the baseline, whatever the mode. Throws tune::Error when a file
/// cannot be written.
ExitCode tell_failed_build(const revision::BuildFailed& error,
                           const gate::GateResult& named,
                           const GateRequest& request);

/// The end of a gate: its reports and what else was wished into its directory, its entry in the
/// history, the answer on standard output. Gives back what the shell gets.
ExitCode present_gate(const gate::GateResult& result, const GateRequest& request);

}  // namespace tune::cli
