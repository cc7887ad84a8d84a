#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// Writes the whole history (of one scenario where one is named) as lines of JSON to a file, or to
/// standard output for "" and "-".
ExitCode export_history(const std::string& scenario, const std::string& output);

/// Adds runs from run directories, from folders of them, and from files of export_history(); those
/// that are there are brought up to date. What cannot be read is named and left out; exit code 6
/// then. Throws tune::Error when a place does not exist or none of them could be read.
/// With `dry_run` only says how many it read.
ExitCode import_history(const std::vector<std::string>& places, bool dry_run);

/// Forgets these runs; their directories stay. Throws tune::Error, and forgets nothing, when one is
/// not in the history. With `dry_run` only says how many it would forget.
ExitCode forget_runs(const std::vector<std::string>& ids, bool dry_run);

struct GcRequest {
  std::optional<std::int64_t> keep;  ///< so many of the newest of each series
  std::string before;                ///< "2026-01-01": what began earlier goes
  bool missing = false;              ///< what has no run directory any more goes
  bool dry_run = false;
};

/// Forgets what the request names, and gives unused room back.
ExitCode collect_garbage(const GcRequest& request);

}  // namespace tune::cli
