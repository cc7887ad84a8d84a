#pragma once

#include "base/error.h"
#include "cli/interruption.h"
#include "cli/open_run.h"
#include "cli/slurm_state.h"
#include "measure/runner/slurm.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tune::cli {

/// "1-3,7": tasks of an array.
std::string ranges_of(const std::set<std::int64_t>& numbers);

/// "2 running, 5 waiting (Resources)".
std::string queue_words(const runner::SlurmQueue& queue);

/// <run directory>/shards/<index>.
std::filesystem::path shard_folder(const std::filesystem::path& run, std::int64_t index);

/// How often, in ns, files are looked at and the queue is asked (TUNE_SLURM_POLL; every answer
/// costs the controller a lock). Throws tune::Error for what is not a time.
std::int64_t slurm_poll_ns();

/// Everything that waiting for a job needs.
struct SlurmSite {
  const RunRequest& request;
  std::filesystem::path directory;
  SlurmState state;
  const Interruption& interruption;
  std::int64_t poll_ns = 0;

  /// On the standard error, unless -q.
  void say(const std::string& text) const;
  /// The command that continues.
  std::string go_on() const;
};

/// What a job is for.
struct SlurmTask {
  std::function<std::string()> left;  ///< "" when nothing is; else what is said while waiting
  std::function<std::optional<ExitCode>()> submit;
};

/// Hands a job in and keeps its number in the state. Returns an exit code where it was not taken.
std::optional<ExitCode> submit_script(SlurmSite& site,
                                      std::vector<std::string> arguments,
                                      const std::string& name,
                                      const std::string& script);

/// Waits for the job that was handed in before, if the queue may still have it, and then for one of
/// its own. Returns an exit code where that ends otherwise than by the job.
std::optional<ExitCode> see_through(const SlurmSite& site, const SlurmTask& task);

/// Until the job has left the queue, `most` polls at the longest.
void wait_until_gone(const SlurmSite& site, std::int64_t most);

/// The job of the array that measures one shard of the run in the directory `run`, or continues
/// it.
std::string shards_script(const std::filesystem::path& run, const SlurmState& state);

/// The job that confirms the joined run in fresh pairs.
std::string confirm_script(const std::filesystem::path& run, const SlurmState& state);

/// Options of sbatch: everything on one node that the job has for itself; SIGTERM also where only
/// the time limit ends it. `log` is a name in the folder of slurm.
std::vector<std::string> usual_arguments(const std::filesystem::path& run, const std::string& log);

}  // namespace tune::cli
