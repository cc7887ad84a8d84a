#pragma once

#include "base/error.h"
#include "cli/open_run.h"
#include "cli/scenario_flags.h"

#include <functional>
#include <string>

namespace tune::cli {

/// The command that asks for a run.
struct RunCommand {
  std::string name = "tune run";
  /// What becomes of the request once the script was looked at (standard_streams.h has its text);
  /// none: it stays.
  std::function<RunRequest(const RunRequest&)> prepare = nullptr;
};

/// Measures a scenario or a command, continues a run, or shows the plan, as the request says.
ExitCode run_command(const RunRequest& request,
                     const ScenarioFlags& flags,
                     const RunCommand& command);

}  // namespace tune::cli
