#pragma once

#include "base/error.h"
#include "cli/gate_request.h"
#include "gate/gate_result.h"
#include "revision/repository.h"

namespace tune::cli {

/// Says on standard error why a commit was not built, and writes it where continuous integration
/// looks: report.md, junit.xml, the step summary, and the formats that were wished for; as JSON on
/// standard output where the request says so. `named` has run directory, start and the scenario's
/// name. 1 for the candidate, 4 for the baseline, whatever the mode. Throws tune::Error when a file
/// cannot be written.
ExitCode tell_failed_build(const revision::BuildFailed& error,
                           const gate::GateResult& named,
                           const GateRequest& request);

}  // namespace tune::cli
