#pragma once

#include "base/exit_code.h"
#include "scenario/scenario.h"

namespace tune::cli {

/// Prints what a run of the scenario would measure on this machine: `tune plan`, `tune run -n`.
ExitCode show_plan(const scenario::Scenario& scenario, bool as_json);

}  // namespace tune::cli
