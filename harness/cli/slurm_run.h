#pragma once

#include "base/error.h"
#include "cli/open_run.h"

#include <filesystem>

namespace tune::cli {

/// Measures a new run on the machines of a cluster: an array of exclusive jobs of this same
/// program, one a shard, on a folder that all of them see; then the shards are joined here, and one
/// more exclusive job confirms the best. Whether a shard is whole its ledger says, never the
/// scheduler. Nothing is measured on this machine. Interrupted, it cancels the job, whose processes
/// save. Throws tune::Error for what is wrong before anything is handed in.
ExitCode run_on_slurm(const RunRequest& request);

/// Goes on with one: waits for the job that is still there, or hands in what is not finished.
ExitCode resume_on_slurm(const std::filesystem::path& directory, const RunRequest& request);

}  // namespace tune::cli
