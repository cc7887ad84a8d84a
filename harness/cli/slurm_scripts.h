#pragma once

#include "cli/slurm_state.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tune::cli {

/// The job of the array that measures one shard of the run in the directory `run`, or goes on with
/// it.
std::string shards_script(const std::filesystem::path& run, const SlurmState& state);

/// The job that confirms the joined run in fresh pairs.
std::string confirm_script(const std::filesystem::path& run, const SlurmState& state);

/// Of sbatch: everything on one node that the job has for itself; SIGTERM also where only the time
/// limit ends it. `log` is a name in the folder of slurm.
std::vector<std::string> usual_arguments(const std::filesystem::path& run, const std::string& log);

}  // namespace tune::cli
