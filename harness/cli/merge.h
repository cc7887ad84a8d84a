#pragma once

#include "base/error.h"
#include "measure/campaign/recorded_run.h"

#include <filesystem>
#include <vector>

namespace tune::cli {

/// Shards that were read, and whether they make a run together.
struct ReadShards {
  std::vector<campaign::RecordedRun> shards;
  ExitCode code = ExitCode::fine;
};

/// Reads shards from their run directories, at least one. What keeps them apart is said on standard
/// error: ExitCode::incomparable where they ran on unlike machines, ExitCode::partial where some
/// are missing or have not ended. Throws tune::Error for what is not a shard, and for shards of
/// something else.
ReadShards read_shards(const std::vector<std::filesystem::path>& directories);

}  // namespace tune::cli
