#pragma once

#include "cli/script_change.h"
#include "measure/campaign/pair_form.h"
#include "measure/campaign/recorded_run.h"
#include "scenario/plan.h"
#include "trial/script.h"

#include <filesystem>

namespace tune::cli {

/// False: all of it is left to be made by hand.
bool gives_anything(const ScriptChange& change);

/// Keeps the changed files in the folder, which is absolute, as the script's own are: one that is
/// started itself stays a program. Returns the form that trials are given.
trial::AppliedForm keep_form(const ScriptChange& change,
                             const ScriptRun& run,
                             const std::filesystem::path& folder);

/// How the fresh pairs of the cell run, in the run directory: the change as it is handed over,
/// where all of the cell's setting has such a form, else by injection, and why. `seen` is the run
/// whose trials know the script. Throws MachineError where nothing can be written.
campaign::PairForm make_pair_form(const ScriptRun& seen,
                                  const std::filesystem::path& directory,
                                  const scenario::Cell& cell);

/// The same of a run whose own trials know the script.
campaign::PairForm make_own_pair_form(const campaign::RecordedRun& run, const scenario::Cell& cell);

}  // namespace tune::cli
