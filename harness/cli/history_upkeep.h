#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// Forgets these runs; their directories stay. Throws tune::Error, and forgets nothing, when one is
/// not in the history.
ExitCode forget_runs(const std::vector<std::string>& ids);

struct GcRequest {
  std::optional<std::int64_t> keep;  ///< so many of the newest of each series
  std::string before;                ///< "2026-01-01": what began earlier goes
  bool missing = false;              ///< what has no run directory any more goes
  bool dry_run = false;
};

/// Forgets what the request names, and gives unused room back.
ExitCode collect_garbage(const GcRequest& request);

}  // namespace tune::cli
