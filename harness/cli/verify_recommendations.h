#pragma once

#include "base/error.h"
#include "cli/run_request.h"

#include <filesystem>

namespace tune::cli {

/// What `tune run --verify all|top:N` does once its campaign has ended: measures those of the first
/// recommendations that are settings and have no verdict, each as `tune verify` does, in what is
/// left of the budget. Nothing for a run that did not ask for it.
///
/// 6 where the budget, or with --fail-fast a failure, ended before the last verdict, or the code of
/// an interruption; a verdict, whichever, is 0, and so is a setting that cannot run. The machine's
/// lock is the caller's. Throws tune::Error when the run cannot be read, or what
/// measure_verification() throws.
ExitCode verify_recommendations(const RunRequest& request, const std::filesystem::path& directory);

/// Whether a recommendation that the run was asked to verify could be measured, and was not, or not
/// to its end: one that ended without a verdict is none that is missing.
/// Throws tune::Error when the run cannot be read.
bool lacks_verifications(const RunRequest& request, const std::filesystem::path& directory);

}  // namespace tune::cli
