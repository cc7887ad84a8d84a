#pragma once

#include "cli/output_wish.h"
#include "cli/terminal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

/// What a `tune run` was asked.
struct RunRequest {
  std::string file;                    ///< scenario; may be empty with `resume`
  std::vector<std::string> overrides;  ///< --set, --rounds, --seed, --budget as "key=value"
  std::optional<std::int64_t> budget_ns;
  std::string budget_source;  ///< "--budget", "environment variable TUNE_BUDGET", "scenario"
  std::string resume;         ///< run directory to go on with, or ""
  std::string rules;          ///< --rules: folder of the user's own, or ""
  std::string output;         ///< -o: run directory, or ""
  bool fresh = false;         ///< --fresh: an earlier run in it is moved aside
  bool dry_run = false;
  bool fail_fast = false;  ///< --fail-fast: the first trial that failed ends the run
  bool as_json = false;
  bool quiet = false;
  bool plain_progress = false;               ///< --progress never: no status block
  bool live = false;                         ///< --live: a page that fills up
  std::string port;                          ///< --port of --live, or ""
  std::string executor = "local";            ///< local | slurm
  std::vector<std::string> slurm_arguments;  ///< of sbatch, verbatim
  std::string slurm_jobs;                    ///< --slurm-jobs, or ""
  OutputWish outputs;
  ColorWish color = ColorWish::automatic;
  std::vector<std::string> words;  ///< the command as typed
};

}  // namespace tune::cli
