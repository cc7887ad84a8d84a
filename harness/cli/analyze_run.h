#pragma once

#include "base/error.h"
#include "cli/analyze_request.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// The run directory of `tune run` that the words name; nothing where they name none. Throws
/// tune::Error when a run is named together with something else.
std::optional<std::filesystem::path> find_run(const std::vector<std::string>& words);

/// Asks the rules again what limits the baseline of a run, of its stored files alone, and prints
/// their answer. The run stays as it is; -o names a folder for result.json, report.md and
/// report.html as they are with these rules. Throws tune::Error.
ExitCode analyze_run(const AnalyzeRequest& request, const std::filesystem::path& run);

}  // namespace tune::cli
